"""
Which encoding a file is in, found by looking through its bytes once, block by block.

UTF-8 if every byte fits. Else, where bytes above ASCII are few (the accents of a western language), Windows-1252 or
Latin-1. Else it is not for us to guess: the error says where UTF-8 breaks off and asks for the encoding.
"""

import codecs
from typing import BinaryIO, Tuple

from allennlp.common.checks import ConfigurationError

BLOCK = 1 << 20
# Accented letters are under a tenth of any western text; in Cyrillic, Arabic or Chinese nearly all letters are above
# ASCII.
MOST_ACCENTS = 0.15
NOT_IN_WINDOWS_1252 = frozenset(b"\x81\x8d\x8f\x90\x9d")
BYTES_ABOVE_ASCII = bytes(range(128, 256))
BYTES_OF_WINDOWS = bytes(range(128, 160))
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def detect_encoding(raw: BinaryIO, file: str) -> Tuple[str, bool]:
    """The encoding's name for `open`, and whether it is a guess. `raw` is read to its end."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    block = raw.read(BLOCK)
    for mark, name in BOMS:
        if block.startswith(mark) and name != "utf-8-sig":
            return name, False
    if block.count(0) * 4 > len(block):
        raise ConfigurationError(
            f"{file}:1 is not text in UTF-8: a quarter of its bytes are NUL. Set `encoding`, perhaps to utf-16-le."
        )
    while block:
        try:
            decoder.decode(block)
        except UnicodeDecodeError as error:
            consumed = max(error.start, 0)
            return _western(block, raw, file, line + error.object[:consumed].count(b"\n")), True
        line += block.count(b"\n")
        block = raw.read(BLOCK)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise _unknown(file, line, "the file ends in the middle of a character") from error
    return "utf-8-sig", False


def _western(block: bytes, raw: BinaryIO, file: str, line: int) -> str:
    """Windows-1252 or Latin-1 for the rest of the file from `block` on, if it looks like a western language."""
    total = accents = in_utf8 = 0
    windows = set()
    while block:
        total += len(block)
        accents += len(block) - len(block.translate(None, BYTES_ABOVE_ASCII))
        # A lead byte of two (C3 is the one of western letters) followed by a continuation byte.
        in_utf8 += sum(block.count(bytes((0xC3, continuation))) for continuation in range(0x80, 0xC0))
        windows |= set(block) & set(BYTES_OF_WINDOWS)
        block = raw.read(BLOCK)
    if accents > MOST_ACCENTS * total:
        raise _unknown(file, line, "too many bytes are above ASCII for a western encoding")
    if in_utf8 * 4 > accents:
        raise _unknown(file, line, "the rest of it looks like UTF-8, so this byte is damage")
    return "cp1252" if windows and not windows & NOT_IN_WINDOWS_1252 else "latin-1"


def _unknown(file: str, line: int, reason: str) -> ConfigurationError:
    return ConfigurationError(
        f"{file}:{line} is not UTF-8, and {reason}. Set `encoding` to the file's own (such as gb18030 or "
        "windows-1251), or mend the file."
    )
