"""
Opens a corpus file as text: plain or gzip, in a given or detected encoding, one line at a time.

Lines end at `\n` alone (one `\r` before it is dropped): a control character or U+2028 may be a token. A byte order
mark is dropped at the start of the file and nowhere else. Whatever cannot be read is a `ConfigurationError` with file
and line.
"""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.binary_files import refuse_binary
from ner_zoo.data.corpora.encodings import detect_encoding
from ner_zoo.data.repairs import Repairs

# Characters read at a time.
CHUNK = 1 << 16
# A longer line is not a line of text, and would fill the memory.
MOST_CHUNKS = 1024
# What a damaged or unreadable file raises while it is read.
READ_ERRORS = (OSError, EOFError, zlib.error, UnicodeError)


def open_bytes(file: str) -> BinaryIO:
    """The file's bytes, unpacked when it is gzip, whatever it is called."""
    with open(file, "rb") as handle:
        is_packed = handle.read(2) == b"\x1f\x8b"
    return gzip.open(file, "rb") if is_packed else open(file, "rb")  # type: ignore[return-value]


def open_text(file: str, encoding: str | None = None, repairs: Repairs | None = None) -> TextIO:
    """
    The file as a stream of characters with its line ends untouched. Without an `encoding` the file's bytes are looked
    through once to find it; a guess other than UTF-8 counts as a repair. The caller closes the stream.
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
            f"{encoding!r}, the encoding given for {file}, is not one that Python knows. Try utf-8, latin-1 or gb18030."
        ) from error
    except READ_ERRORS as error:
        raise unreadable(file, last_readable_line(file, encoding or "utf-8"), error) from error


def lines(file: str, encoding: str | None = None, repairs: Repairs | None = None) -> Iterator[tuple[int, str]]:
    """Every line with its number, from 1, without its line end."""
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
                    f"{file}:{number} is a line of over {MOST_CHUNKS * CHUNK:,} characters: not text."
                )
            if "\r" in chunk or (found and found[0].endswith("\r")):
                found = [line[:-1] if line.endswith("\r") else line for line in found]
            yield from enumerate(found, number)
            number += len(found)
    last = "".join(rest)
    if last:
        yield number, last


def chunks(handle: TextIO, file: str) -> Iterator[str]:
    """What a stream of the file holds, in pieces."""
    try:
        while chunk := handle.read(CHUNK):
            yield chunk
    except READ_ERRORS as error:
        raise unreadable(file, last_readable_line(file, handle.encoding), error) from error


def read_text(file: str, encoding: str | None = None, repairs: Repairs | None = None) -> str:
    """The whole file in one string, line ends untouched: for documents whose annotation counts characters."""
    with open_text(file, encoding, repairs) as handle:
        return "".join(chunks(handle, file))


def last_readable_line(file: str, encoding: str) -> int:
    """The number of the line at which a file that cannot be read through breaks off."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    try:
        with open_bytes(file) as raw:
            # Small steps, so that little is lost with the step that fails.
            while block := raw.read(64):
                line += decoder.decode(block).count("\n")
    except UnicodeDecodeError as error:
        line += error.object[: error.start].decode(encoding, errors="replace").count("\n")
    except READ_ERRORS:
        pass
    return line


def unreadable(file: str, line: int, error: BaseException) -> ConfigurationError:
    """The error for a file that breaks off or does not decode at `line`."""
    if isinstance(error, UnicodeError):
        reason = f"is not text in the encoding it is read with ({error}). Set `encoding` to the file's own"
    else:
        reason = f"cannot be read ({error or type(error).__name__}). Check that the file is whole"
    return ConfigurationError(f"{file}:{line} {reason}.")
