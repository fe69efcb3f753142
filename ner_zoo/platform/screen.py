"""
Shows progress, results and warnings on the screen; the full log of a run goes to its out.log.

`-v`, or AllenNLP's own variables ALLENNLP_LOG_LEVEL and ALLENNLP_DEBUG, show the log on the screen. Progress bars are
shown on terminals only, and disappear when done.
"""

import contextlib
import functools
import io
import logging
import os
import sys
import warnings
from types import ModuleType
from typing import Any

LEVEL, DEBUG = "ALLENNLP_LOG_LEVEL", "ALLENNLP_DEBUG"
VERBOSE = ("-v", "--verbose")
# Warnings that the user cannot do anything about.
FOREIGN = "numba|numpy|overrides|scipy|sklearn|spacy|thinc|torch|transformers|weasel"
# The beginning of a warning of AllenNLP about what configs do on purpose: a schedule ends with its last epoch.
ON_PURPOSE = "You provided a validation dataset but patience was set to None"


def is_verbose() -> bool:
    return LEVEL in os.environ or DEBUG in os.environ


# For `logger.warning(..., extra=NOTE)`: information for the user that is not a problem.
NOTE = {"is_note": True}


class ShortFormatter(logging.Formatter):
    """Formats records as `Warning: message`, without time and location; notes without the prefix."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().strip()
        return message if getattr(record, "is_note", False) else f"{record.levelname.capitalize()}: {message}"


def show_warnings_only() -> None:
    """Sends warnings and errors to the screen, on standard error. Log files still get everything."""
    if is_verbose():
        return
    root = logging.getLogger()
    screens = [one for one in root.handlers if type(one) is logging.StreamHandler]
    for handler in screens:
        root.removeHandler(handler)
    if screens:
        handler = logging.StreamHandler(sys.stderr)
        handler.setLevel(logging.WARNING)
        handler.setFormatter(ShortFormatter())
        handler.addFilter(lambda record: not record.getMessage().startswith(ON_PURPOSE))
        root.addHandler(handler)


def shorten_python_warnings() -> None:
    """Logs Python warnings too, without the source line; drops those about other libraries."""
    if is_verbose() or sys.warnoptions:
        return
    for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
        warnings.filterwarnings("ignore", category=category)
    warnings.filterwarnings("ignore", module=rf"({FOREIGN})(\.|$)")
    warnings.formatwarning = lambda message, category, filename, lineno, line=None: str(message)
    logging.captureWarnings(True)


def set_up_screen() -> None:
    """Runs first in every command, to keep the log off the screen unless `-v` is given."""
    if any(option in sys.argv[1:] for option in VERBOSE):
        # Inherited by the worker processes of this command.
        os.environ.setdefault(LEVEL, "INFO")
    show_warnings_only()
    shorten_python_warnings()


def log_training_to_file(module: ModuleType) -> None:
    original = module.prepare_global_logging

    @functools.wraps(original)
    def prepare_global_logging(serialization_dir: Any, rank: int = 0, world_size: int = 1) -> None:
        original(serialization_dir, rank, world_size)
        show_warnings_only()

    module.prepare_global_logging = prepare_global_logging  # type: ignore[attr-defined]


def show_progress_on_terminals(tqdm: ModuleType) -> None:
    """Still writes a line to the run's log file every ten seconds."""
    original_bar, original_write = tqdm.Tqdm.tqdm, tqdm.TqdmToLogsWriter.write

    def bar(*arguments: Any, **options: Any) -> Any:
        return original_bar(*arguments, **{"leave": is_verbose(), **options})

    def write(self: Any, message: str) -> None:
        is_shown = is_verbose() or sys.stderr.isatty() or tqdm.common_logging.FILE_FRIENDLY_LOGGING
        if is_shown:
            original_write(self, message)
            return
        with contextlib.redirect_stderr(io.StringIO()):
            original_write(self, message)

    tqdm.Tqdm.tqdm = staticmethod(bar)
    tqdm.TqdmToLogsWriter.write = write
