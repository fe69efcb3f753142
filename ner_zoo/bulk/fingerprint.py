"""
Fingerprint of a file or folder: 64 hex digits that are equal only if the content is.
"""

import hashlib
import os
from pathlib import Path
from typing import Any


def fingerprint(path: str) -> str:
    """SHA-256 of a file's content, or of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    if not os.path.isdir(path):
        _add(digest, Path(path))
        return digest.hexdigest()
    for file in sorted(file for file in Path(path).rglob("*") if file.is_file()):
        digest.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode("utf-8", "surrogateescape"))
        _add(digest, file)
    return digest.hexdigest()


def _add(digest: Any, path: Path) -> None:
    with path.open("rb") as file:
        hashlib.file_digest(file, lambda: digest)
