"""
Unpacks an untrusted .tar.gz: only plain files inside one folder, within limits.

The limits are checked while unpacking, before any byte reaches the disk: number of files, number of bytes, and
compression ratio. If a limit is too low for a legitimate archive, raise it with an environment variable.
"""

import errno
import gzip
import os
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Union

from ner_zoo.platform.configuration_error import ConfigurationError

FilePath = Union[str, "os.PathLike[str]"]

UNREADABLE = (tarfile.TarError, EOFError, zlib.error, OSError, ValueError, OverflowError)
COPY_AGAIN = "Copy or download the archive again, or recreate it with `allennlp train`."
# Each limit with the environment variable that changes it. Weights hardly compress, so no model reaches a ratio of 200.
LIMITS = {
    "NER_ZOO_MAX_ARCHIVE_MEMBERS": 1_000,
    "NER_ZOO_MAX_ARCHIVE_GIGABYTES": 32,
    "NER_ZOO_MAX_ARCHIVE_RATIO": 200,
}
# The ratio is not checked below this size: a small file of one repeated letter compresses a thousandfold.
ALWAYS_ALLOWED = 64 << 20
CHUNK = 1 << 20
# Maximum depth of nested folders. Much deeper ones cannot even be deleted again.
MAX_DEPTH = 32
# How an export begins: a zip file whose first member, named after a header of this size, is `export.json`.
ZIP, NAME_IN_ZIP, EXPORT = b"PK\x03\x04", 30, b"export.json"


def limit(name: str) -> float:
    try:
        return float(os.environ.get(name) or LIMITS[name])
    except ValueError as error:
        raise ConfigurationError(
            f"{name} is set to {os.environ[name]!r} in the environment. Set it to a number."
        ) from error


class GzipStream:
    """The contents of a gzip file, read once from start to end within the limits."""

    def __init__(self, file: BinaryIO, archive_file: FilePath) -> None:
        self.archive_file = archive_file
        self._gzip = gzip.GzipFile(fileobj=file)
        self._position = 0
        self._last_byte = b""
        self._given_back = b""
        self._max_bytes = limit("NER_ZOO_MAX_ARCHIVE_GIGABYTES") * 1e9
        self._max_by_ratio = ALWAYS_ALLOWED + limit("NER_ZOO_MAX_ARCHIVE_RATIO") * os.fstat(file.fileno()).st_size

    def read(self, size: int) -> bytes:
        if size > CHUNK:  # files are copied in chunks; only a header is read in one piece
            raise refusal(self.archive_file, f"it has a header of {size:,} bytes")
        content, self._given_back = self._given_back[:size], self._given_back[size:]
        content += self._gzip.read(size - len(content))
        self._position += len(content)
        self._last_byte = content[-1:] or self._last_byte
        self._check()
        return content

    def _check(self) -> None:
        if self._position > self._max_bytes:
            name = "NER_ZOO_MAX_ARCHIVE_GIGABYTES"
            raise refusal(self.archive_file, f"it unpacks to more than {limit(name):g} GB", name)
        if self._position > self._max_by_ratio:
            name = "NER_ZOO_MAX_ARCHIVE_RATIO"
            raise refusal(self.archive_file, f"it unpacks to more than {limit(name):g} times its own size", name)

    def tell(self) -> int:
        return self._position

    def seek(self, position: int) -> None:
        """Seeks forward by reading, and one byte back, which tarfile needs to check that a file is complete."""
        if position < self._position:
            if position < self._position - 1 or self._given_back:
                raise tarfile.ReadError("its files overlap")
            self._given_back, self._position = self._last_byte, position
        while self._position < position:
            if not self.read(min(CHUNK, position - self._position)):
                return


def refusal(archive_file: FilePath, problem: str, variable: str = "") -> ConfigurationError:
    advice = f" If you trust its author, raise the limit with the environment variable {variable}." if variable else ""
    return ConfigurationError(f"The archive {archive_file} is refused: {problem}, which no model needs.{advice}")


def files(archive_file: FilePath) -> Iterator[Any]:
    """Yields the members of an archive in order, as pairs of `TarInfo` and a file (`None` for a folder)."""
    most = limit("NER_ZOO_MAX_ARCHIVE_MEMBERS")
    with open(archive_file, "rb") as file:
        stream = GzipStream(file, archive_file)
        with tarfile.open(fileobj=stream, mode="r:") as archive:  # type: ignore[call-overload]
            for number, member in enumerate(archive):
                if number >= most:
                    problem = f"it contains more than {most:,.0f} files"
                    raise refusal(archive_file, problem, "NER_ZOO_MAX_ARCHIVE_MEMBERS")
                check_member(member, archive_file)
                if len(PurePosixPath(member.name).parts) > MAX_DEPTH:
                    raise refusal(archive_file, f"its folders are nested more than {MAX_DEPTH} deep")
                yield member, None if member.isdir() else archive.extractfile(member)
            # The checksum comes last, after the end marker of the tar file.
            while stream.read(CHUNK):
                pass


def check_member(member: tarfile.TarInfo, archive_file: FilePath) -> None:
    name = PurePosixPath(member.name)
    is_plain = member.isdir() or (member.isreg() and not member.issparse())
    if not is_plain or name.is_absolute() or ".." in name.parts:
        raise ConfigurationError(
            f"The archive {archive_file} is refused: its member {member.name!r} is "
            f"{'outside of it' if is_plain else 'a link, a device or a sparse file'}, but a model archive contains "
            f"only plain files in one folder. Do not use it unless you trust its author; if you created it, pack it "
            f"again with `tar --dereference`."
        )


def unpack(archive_file: FilePath, folder: Path) -> None:
    """Unpacks the plain files of a .tar.gz into `folder`; refuses an archive that contains anything else."""
    try:
        for member, content in files(archive_file):
            target = folder / PurePosixPath(member.name)
            if content is None:
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "wb") as file:
                shutil.copyfileobj(content, file, CHUNK // 2)
    except UNREADABLE as error:
        raise unreadable(archive_file, folder, error) from error


def unreadable(archive_file: FilePath, folder: Path, error: Exception) -> ConfigurationError:
    if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
        return ConfigurationError(
            f"The disk is full: {archive_file} cannot be unpacked in {folder.parent}. Free some space, or set TMPDIR "
            f"to a folder on another disk."
        )
    head = _first_bytes(archive_file)
    if head == b"":
        return ConfigurationError(f"The file {archive_file} is empty. Copy or download it again.")
    if head is not None and head.startswith(ZIP) and head[NAME_IN_ZIP:].startswith(EXPORT):
        return exported_model(archive_file)
    return ConfigurationError(f"The archive {archive_file} is not a complete .tar.gz file: {error}. {COPY_AGAIN}")


def exported_model(path: FilePath) -> ConfigurationError:
    """The error for an export in place of an archive. One that was cut off looks like an archive to every command."""
    if not zipfile.is_zipfile(path):
        return ConfigurationError(
            f"{path} is an exported model, but it is damaged or truncated. Copy or download it again, or export the "
            f"model again."
        )
    return ConfigurationError(
        f"{path} is an exported model, which can only be used for predictions (`predict`, `annotate`, `serve`). Pass "
        f"the archive that it was exported from, such as model.tar.gz."
    )


def _first_bytes(path: FilePath) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(NAME_IN_ZIP + len(EXPORT))
    except OSError:
        return None
