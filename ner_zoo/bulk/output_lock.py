"""
Locks an output, so that only one process works on it.

The lock is a file next to the output, not in the folder of parts, which a run that starts over removes. The holder
removes the file at the end, so after locking a file one must check that it still has that name.
"""

import contextlib
import fcntl
import os
from types import TracebackType
from typing import IO

from ner_zoo.platform.configuration_error import ConfigurationError


class OutputLock:
    """output : the output file."""

    def __init__(self, output: str) -> None:
        self.output = output
        self.path = f"{output}.lock"
        self._file: IO[str] | None = None

    def __enter__(self) -> "OutputLock":
        folder = os.path.dirname(self.output) or "."
        if not os.path.isdir(folder):
            raise ConfigurationError(
                f"There is no folder {folder} for the output. Create it, or pass another --output."
            )
        while self._file is None:
            file = open(self.path, "a")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                raise ConfigurationError(
                    f"Another process is writing {self.output}. Wait for it, stop it, or pass another --output."
                ) from None
            if _is_named(file, self.path):
                self._file = file
            else:
                file.close()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._file is not None
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
        self._file.close()
        self._file = None


def _is_named(file: IO[str], path: str) -> bool:
    """Whether the open file is the one that currently has this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
