"""
Locks an output, so that only one process works on it.

The lock is a file next to the output, not in the folder of parts, which a run that starts over removes. The holder
removes the file at the end, so after locking a file one must check that it still has that name.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from typing import IO

from ner_zoo.platform.configuration_error import ConfigurationError


@contextlib.contextmanager
def output_lock(output: str) -> Iterator[None]:
    folder, path = os.path.dirname(output) or ".", f"{output}.lock"
    if not os.path.isdir(folder):
        raise ConfigurationError(f"There is no folder {folder} for the output. Create it, or pass another --output.")
    while True:
        with open(path, "a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ConfigurationError(
                    f"Another process is writing {output}. Wait for it, stop it, or pass another --output."
                ) from None
            if _is_named(file, path):
                try:
                    yield
                finally:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(path)
                return


def _is_named(file: IO[str], path: str) -> bool:
    """Whether the open file is the one that currently has this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
