"""Atomic file writing: a file is written under a temporary name and then moved into place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

UNFINISHED = ".unfinished"


@contextmanager
def replacing(path: str | PathLike, is_durable: bool = False) -> Iterator[Path]:
    """
    Yields the path of a new file to write, which replaces `path` at the end, but not after an error.

    is_durable : flush to disk, so that the file survives a power loss too.
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
    """Flushes a file, or the entries of a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
