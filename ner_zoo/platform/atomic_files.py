"""Files that are there whole, or as they were before: written under another name, then moved into place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

UNFINISHED = ".unfinished"


@contextmanager
def replacing(path: str | PathLike, is_durable: bool = False) -> Iterator[Path]:
    """
    Gives the path of a new file to write, which replaces `path` at the end, but not after an error.

    is_durable : wait until the disk has it, so that it outlasts a loss of power too.
    """
    new = Path(f"{path}{UNFINISHED}")
    new.parent.mkdir(parents=True, exist_ok=True)
    yield new
    if is_durable:
        flush(new)
    os.replace(new, path)
    if is_durable:
        flush(new.parent)


def write_atomically(path: str | PathLike, content: str | bytes) -> None:
    with replacing(path) as new:
        new.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def flush(path: Path) -> None:
    """Waits until the disk has a file, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
