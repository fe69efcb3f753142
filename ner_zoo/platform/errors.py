"""
Reports user errors in a few lines: what was found, where, and what to do.

The `allennlp` command reports a wrong config, a missing file or a broken archive with a message and an exit status
instead of a traceback. `NER_ZOO_DEBUG=1` shows the traceback. Other errors keep it.
"""

import errno
import functools
import inspect
import logging
import os
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ner_zoo.platform.configuration_error import ConfigurationError

if TYPE_CHECKING:
    from allennlp.commands.train import TrainModel
    from allennlp.data import Instance

logger = logging.getLogger(__name__)

DEBUG = "NER_ZOO_DEBUG"
MAX_LINES = 30
INTERRUPTED = 130  # as shells report it
CONTINUE = "To resume from the last checkpoint, repeat the command with --recover."
FILE_ERRORS = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
# Raised by constructors for invalid values.
VALUE_ERRORS = (AssertionError, TypeError, ValueError)


def explain(error: BaseException) -> str | None:
    """The message for a user error, or `None` for any other error."""
    if isinstance(error, ConfigurationError):
        causes: list[str] = []
        cause: BaseException | None = error
        while isinstance(cause, ConfigurationError):
            causes.append(str(cause))
            cause = cause.__cause__
        return "\n".join(causes)
    if isinstance(error, FILE_ERRORS):
        return str(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full: {error}. Free some space, then resume training with --recover."
    if isinstance(error, ModuleNotFoundError) and error.name in ("allennlp", "allennlp_models"):
        return str(error)
    return None if "torch" not in sys.modules else explain_worker(error)


def explain_worker(error: BaseException) -> str | None:
    """An error from another process arrives as text that begins with its traceback."""
    from allennlp.data.data_loaders.multiprocess_data_loader import WorkerError
    from torch.multiprocessing.spawn import ProcessRaisedException

    if isinstance(error, ProcessRaisedException) and "ConfigurationError: " in str(error):
        return str(error).rpartition("ConfigurationError: ")[2].strip()
    if isinstance(error, WorkerError) and "ConfigurationError" in str(error):
        return str(error).partition("\n")[0]
    return None


def report(message: str) -> None:
    """Prints an error on at most one screen, and writes its traceback to the run's log file."""
    record = logger.makeRecord(logger.name, logging.ERROR, __file__, 0, "%s", (message,), sys.exc_info())  # type: ignore
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.FileHandler):
            handler.handle(record)
    lines = message.splitlines()
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f"... and {len(lines) - MAX_LINES} more lines"]
    print("\nError: " + "\n".join(lines), file=sys.stderr)


def with_short_errors(command: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """Makes a command end with a message for user errors."""

    @functools.wraps(command)
    def main(prog: str | None = None) -> None:
        try:
            command(prog)
        except Exception as error:
            message = explain(error)
            if message is None or os.environ.get(DEBUG):
                raise
            report(message)
            sys.exit(1)
        except KeyboardInterrupt:
            if os.environ.get(DEBUG):
                raise
            is_training = sys.argv[1:2] == ["train"]
            print("\nInterrupted." + (f" {CONTINUE}" if is_training else ""), file=sys.stderr)
            sys.exit(INTERRUPTED)

    return main


def blame_values_on_the_config(train: ModuleType) -> None:
    """Turns exceptions from constructors about config values into config errors."""
    original_build = train.TrainModel.from_partial_objects.__func__

    @functools.wraps(original_build)
    def from_partial_objects(cls: type, *arguments: Any, **options: Any) -> "TrainModel":
        try:
            built = original_build(cls, *arguments, **options)
        except VALUE_ERRORS as error:
            raise ConfigurationError(
                f"The experiment cannot be built from the config: {type(error).__name__}: {error}"
            ) from error
        check_fields(built)
        return built

    train.TrainModel.from_partial_objects = classmethod(from_partial_objects)


def check_fields(built: "TrainModel") -> None:
    """Checks on the first sentence that the model accepts the fields that the reader produces."""
    takes = inspect.signature(built.model.forward).parameters
    instances = getattr(getattr(built.trainer, "data_loader", None), "_instances", None)  # no_op has no loader
    if not instances or any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes.values()):
        return
    gives = set(instances[0].fields)
    needed = {name for name, parameter in takes.items() if parameter.default is parameter.empty}
    unknown, missing = sorted(gives - set(takes)), sorted(needed - gives)
    if unknown or missing:
        raise ConfigurationError(
            f"The fields from the reader do not match the model {type(built.model).__name__}: unexpected "
            f"{', '.join(unknown) or 'none'}, missing {', '.join(missing) or 'none'}; the model takes "
            f"{', '.join(takes)}. Choose the view for the model in dataset_reader.view: tags for tagger, spans for "
            f"span, joint for joint_relation."
        )


def refuse_empty_corpora(data: ModuleType) -> None:
    loader = data.data_loaders.MultiProcessDataLoader
    original = loader.iter_instances

    def iter_instances(self: Any) -> Iterator["Instance"]:
        is_empty = True
        for instance in original(self):
            is_empty = False
            yield instance
        if is_empty:
            raise ConfigurationError(
                f"{self.data_path} contains nothing that {type(self.reader).__name__} can read. Check that the file "
                f"is not empty, that it is in the expected format, and that it is the file you meant. `allennlp "
                f"inspect` shows what a reader reads."
            )

    loader.iter_instances = iter_instances
