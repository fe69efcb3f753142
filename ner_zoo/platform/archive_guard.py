"""
Keeps track of which archive is being opened. All checks on archives consult this module.

A guard is active while an archive is opened, and again whenever something is built from the archive's config later on
(`evaluate` builds data loaders and the evaluator after the model). It belongs to the current context, so archives can
be opened in several threads at once. In a command that only uses archives, the guard stays active until the command
ends; commands that train run the user's own config, which is unrestricted.
"""

import contextlib
import contextvars
import dataclasses
import os
from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError

ALLOW_DOWNLOADS = "NER_ZOO_ALLOW_DOWNLOADS"
MAX_DEPTH = 5


@dataclasses.dataclass(frozen=True)
class Guard:
    """
    archive : the open archive.
    depth : how many archives refer to each other to reach this one.
    is_own : whether it was written by the user's own training.
    """

    archive: str
    depth: int = 0
    is_own: bool = False

    @contextlib.contextmanager
    def active(self, is_opening: bool = False) -> Iterator["Guard"]:
        """Applies the rules for archives; while `is_opening`, unpickling is forbidden too."""
        tokens = _guard.set(self), _is_building.set(True), _is_opening.set(is_opening or _is_opening.get())
        try:
            yield self
        finally:
            _guard.reset(tokens[0])
            _is_building.reset(tokens[1])
            _is_opening.reset(tokens[2])


_guard: "contextvars.ContextVar[Guard | None]" = contextvars.ContextVar("guard", default=None)
_is_building: "contextvars.ContextVar[bool]" = contextvars.ContextVar("is_building", default=False)
_is_opening: "contextvars.ContextVar[bool]" = contextvars.ContextVar("is_opening", default=False)
_stays_for_command: "contextvars.ContextVar[bool]" = contextvars.ContextVar("stays_for_command", default=False)


def current_guard() -> Guard | None:
    """The guard of the archive whose parts are in use, or `None` for the user's own parts."""
    return _guard.get()


def building_guard() -> Guard | None:
    """Like `current_guard`, but only while something is built from the archive."""
    return _guard.get() if _is_building.get() else None


def is_opening() -> bool:
    return _is_opening.get()


def downloads_are_allowed() -> bool:
    return os.environ.get(ALLOW_DOWNLOADS, "") not in ("", "0")


@contextlib.contextmanager
def opening(archive_file: Any) -> Iterator[Guard]:
    """Guards an archive from its first byte; in a command that only uses archives, until the command ends."""
    outer = _guard.get() if _is_opening.get() else None
    guard = Guard(os.fspath(archive_file), outer.depth + 1 if outer is not None else 0)
    if guard.depth > MAX_DEPTH:
        raise ConfigurationError(
            f"The archive {guard.archive} is refused: it is the {guard.depth + 1}th in a chain of archives that name "
            f"each other, but at most {MAX_DEPTH + 1} are allowed. Check whether an archive names itself."
        )
    with guard.active(is_opening=True):
        yield guard
    if outer is None and _stays_for_command.get():
        _guard.set(guard)


def stay_for_command() -> None:
    """Keeps the guard active in this context after the first archive has been opened."""
    _stays_for_command.set(True)


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Lifts the guard for actions that the user requested while an archive is open, such as downloading it."""
    token = _is_building.set(False)
    try:
        yield
    finally:
        _is_building.reset(token)
