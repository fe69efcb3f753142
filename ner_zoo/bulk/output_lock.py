"""
One process at a time works on an output.

The lock is a file beside the output, not in the folder of parts, which a run that starts over removes. Whoever holds
the lock removes the file at the end; so having locked a file, one must look whether it is still the one of that name.
"""

import contextlib
import fcntl
import os
from types import TracebackType
from typing import IO

from ner_zoo.platform.configuration_error import ConfigurationError


class OutputLock:
    """output : the file that is to be made."""

    def __init__(self, output: str) -> None:
        self.output = output
        self.path = f"{output}.lock"
        self._file: IO[str] | None = None

    def __enter__(self) -> "OutputLock":
        while self._file is None:
            file = open(self.path, "a")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                raise ConfigurationError(
                    f"Another process is at work on {self.output}. Wait for it, or stop it, or give another --output."
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
    """Whether the open file is the one that has this name now."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
