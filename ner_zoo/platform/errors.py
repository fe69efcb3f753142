"""
User errors are reported in a few lines: what was found, where, and what to do.

The `allennlp` command answers a wrong config, a missing file or a broken archive with a message and an exit status, not
with the stack of calls that led there; `NER_ZOO_DEBUG=1` brings the stack back. Other errors keep
it.
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

from allennlp.common.checks import ConfigurationError

if TYPE_CHECKING:
    from allennlp.commands.train import TrainModel
    from allennlp.data import Instance

logger = logging.getLogger(__name__)

DEBUG = "NER_ZOO_DEBUG"
MAX_LINES = 30
INTERRUPTED = 130  # as shells report it
CONTINUE = "The same command with --recover continues the run from its last checkpoint."
FILE_ERRORS = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
# What constructors raise for values they cannot use.
VALUE_ERRORS = (AssertionError, TypeError, ValueError)


def explain(error: BaseException) -> str | None:
    """What to tell the user about an error, or `None` if it is not the user's."""
    from allennlp.data.data_loaders.multiprocess_data_loader import WorkerError
    from torch.multiprocessing.spawn import ProcessRaisedException

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
        return f"The disk is full: {error}. Make room. Training then continues with --recover."
    # An error in another process arrives as text, its stack before it.
    if isinstance(error, ProcessRaisedException) and "ConfigurationError: " in str(error):
        return str(error).rpartition("ConfigurationError: ")[2].strip()
    if isinstance(error, WorkerError) and "ConfigurationError" in str(error):
        return str(error).partition("\n")[0]
    return None


def report(message: str) -> None:
    """Prints an error on at most one screen, and its stack into the log file of the run."""
    record = logger.makeRecord(logger.name, logging.ERROR, __file__, 0, "%s", (message,), sys.exc_info())  # type: ignore
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.FileHandler):
            handler.handle(record)
    lines = message.splitlines()
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f"... and {len(lines) - MAX_LINES} more lines"]
    text = "\n".join(lines)
    print(f"\nError: {text}\n\n(With {DEBUG}=1 in the environment the stack is shown as well.)", file=sys.stderr)


def with_short_errors(command: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """Makes a command end with a message where the user is to blame."""

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
    """What a constructor raises for a value from the config becomes an error of the config."""
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
    """The model takes what the reader gives, as far as the first sentence shows it."""
    takes = inspect.signature(built.model.forward).parameters
    instances = getattr(getattr(built.trainer, "data_loader", None), "_instances", None)  # no_op has no loader
    if not instances or any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes.values()):
        return
    gives = set(instances[0].fields)
    needed = {name for name, parameter in takes.items() if parameter.default is parameter.empty}
    unknown, missing = sorted(gives - set(takes)), sorted(needed - gives)
    if unknown or missing:
        raise ConfigurationError(
            f"The reader gives the model {type(built.model).__name__} {', '.join(unknown) or 'nothing'} too much and "
            f"{', '.join(missing) or 'nothing'} too little: the model takes {', '.join(takes)}. Choose the "
            "view for the model in dataset_reader.view: tags for tagger, spans for span, joint for joint_relation."
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
                f"{self.data_path} holds nothing that {type(self.reader).__name__} can read. Is the file empty, or in "
                "another format, or meant to be another one? `allennlp inspect` shows what a reader sees."
            )

    loader.iter_instances = iter_instances
