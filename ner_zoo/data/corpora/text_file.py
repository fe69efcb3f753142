"""
Opens a corpus file as text: plain or gzip, in a given or detected encoding, one line at a time.

Lines end only at `\n` (a preceding `\r` is dropped): a control character or U+2028 may be a token. A byte order mark is
dropped only at the start of the file. Anything unreadable raises a `ConfigurationError` with file and line.
"""

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.binary_files import refuse_binary
from ner_zoo.data.corpora.encodings import detect_encoding
from ner_zoo.data.repairs import Repairs

# Characters to read at a time.
CHUNK = 1 << 16
# A longer line is not text, and would fill the memory.
MOST_CHUNKS = 1024
# Errors from reading a damaged or unreadable file.
READ_ERRORS = (OSError, EOFError, zlib.error, UnicodeError)


def open_bytes(file: str) -> BinaryIO:
    """The file's bytes, decompressed if it is gzip, whatever its name."""
    with open(file, "rb") as handle:
        is_packed = handle.read(2) == b"\x1f\x8b"
    return gzip.open(file, "rb") if is_packed else open(file, "rb")  # type: ignore[return-value]


def open_text(file: str, encoding: str | None = None, repairs: Repairs | None = None) -> TextIO:
    """
    The file as a stream of characters with unchanged line ends. Without an `encoding` the file is scanned once to
    detect it; a guess other than UTF-8 counts as a repair. The caller closes the stream.
    """
    try:
        with open_bytes(file) as raw:
            refuse_binary(raw.read(4096), file)
        if encoding is None:
            with open_bytes(file) as raw:
                encoding, is_guess = detect_encoding(raw, file)
            if is_guess and repairs is not None:
                repairs.add(f"file is not UTF-8, read as {encoding}", f"{file}:1")
        elif encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
            encoding = "utf-8-sig"
        return io.TextIOWrapper(open_bytes(file), encoding=encoding, newline="\n")
    except LookupError as error:
        raise ConfigurationError(
            f"{encoding!r}, the encoding set for {file}, is unknown. Try utf-8, latin-1 or gb18030."
        ) from error
    except READ_ERRORS as error:
        raise unreadable(file, last_readable_line(file, encoding or "utf-8"), error) from error


def lines(file: str, encoding: str | None = None, repairs: Repairs | None = None) -> Iterator[tuple[int, str]]:
    """Yields every line with its number, from 1, without its line end."""
    number = 1
    rest: list[str] = []
    with open_text(file, encoding, repairs) as handle:
        for chunk in chunks(handle, file):
            found = chunk.split("\n")
            if len(found) > 1:
                found[0] = "".join(rest) + found[0]
                rest = []
            rest.append(found.pop())
            if len(rest) > MOST_CHUNKS:
                raise ConfigurationError(
                    f"{file}:{number} is a line of over {MOST_CHUNKS * CHUNK:,} characters, so the file is probably "
                    f"not text."
                )
            if "\r" in chunk or (found and found[0].endswith("\r")):
                found = [line[:-1] if line.endswith("\r") else line for line in found]
            yield from enumerate(found, number)
            number += len(found)
    last = "".join(rest)
    if last:
        yield number, last


def chunks(handle: TextIO, file: str) -> Iterator[str]:
    """The contents of a stream in chunks."""
    try:
        while chunk := handle.read(CHUNK):
            yield chunk
    except READ_ERRORS as error:
        raise unreadable(file, last_readable_line(file, handle.encoding), error) from error


def read_text(file: str, encoding: str | None = None, repairs: Repairs | None = None) -> str:
    """The whole file as one string with unchanged line ends: for documents with character offsets."""
    with open_text(file, encoding, repairs) as handle:
        return "".join(chunks(handle, file))


def last_readable_line(file: str, encoding: str) -> int:
    """The number of the line at which reading a file fails."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    try:
        with open_bytes(file) as raw:
            # Small steps, to lose little in the step that fails.
            while block := raw.read(64):
                line += decoder.decode(block).count("\n")
    except UnicodeDecodeError as error:
        line += error.object[: error.start].decode(encoding, errors="replace").count("\n")
    except READ_ERRORS:
        pass
    return line


def unreadable(file: str, line: int, error: BaseException) -> ConfigurationError:
    """The error for a file that does not exist, is truncated or cannot be decoded at `line`."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        where = "" if os.path.isabs(file) else f"; it is relative to {os.getcwd()}"
        return ConfigurationError(f"There is no file {file}. Check the path{where}.")
    if isinstance(error, IsADirectoryError):
        return ConfigurationError(f"{file} is a folder. Use the path of a file.")
    if isinstance(error, UnicodeError):
        reason = f"cannot be decoded ({error}). Set `encoding` to the encoding of the file"
    else:
        reason = f"cannot be read ({error or type(error).__name__}). Check that the file is complete"
    return ConfigurationError(f"{file}:{line} {reason}.")
