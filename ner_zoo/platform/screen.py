"""
The screen shows progress, results and warnings; the whole log of a run is in its out.log.

`-v`, or AllenNLP's own variables ALLENNLP_LOG_LEVEL and ALLENNLP_DEBUG, bring the log to the screen. Progress bars are
for terminals, and vanish when they are done.
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
# Nothing the user can fix.
FOREIGN = "numba|numpy|overrides|scipy|sklearn|spacy|thinc|torch|transformers|weasel"


def is_verbose() -> bool:
    return LEVEL in os.environ or DEBUG in os.environ


# For `logger.warning(..., extra=NOTE)`: what a user should read although nothing is wrong.
NOTE = {"is_note": True}


class ShortFormatter(logging.Formatter):
    """`Warning: what is the matter`, without time and place, which are in the log; notes without the first word."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().strip()
        return message if getattr(record, "is_note", False) else f"{record.levelname.capitalize()}: {message}"


def show_warnings_only() -> None:
    """Of what is logged, the screen gets warnings and errors, on standard error. Log files still get everything."""
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
        root.addHandler(handler)


def tell_python_warnings_in_short() -> None:
    """Warnings of Python code are logged as well, without the line of code; not those about other libraries."""
    if is_verbose() or sys.warnoptions:
        return
    for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning):
        warnings.filterwarnings("ignore", category=category)
    warnings.filterwarnings("ignore", module=rf"({FOREIGN})(\.|$)")
    warnings.formatwarning = lambda message, category, filename, lineno, line=None: str(message)
    logging.captureWarnings(True)


def be_quiet() -> None:
    """What a command does first, so that its log stays off the screen unless `-v` asks for it."""
    if any(option in sys.argv[1:] for option in VERBOSE):
        # Other processes of this command inherit it.
        os.environ.setdefault(LEVEL, "INFO")
    show_warnings_only()
    tell_python_warnings_in_short()


def be_quiet_in_training(module: ModuleType) -> None:
    original = module.prepare_global_logging

    @functools.wraps(original)
    def prepare_global_logging(serialization_dir: Any, rank: int = 0, world_size: int = 1) -> None:
        original(serialization_dir, rank, world_size)
        show_warnings_only()

    module.prepare_global_logging = prepare_global_logging  # type: ignore[attr-defined]


def show_progress_on_terminals(tqdm: ModuleType) -> None:
    """A log file of a run still gets a line every ten seconds."""
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
