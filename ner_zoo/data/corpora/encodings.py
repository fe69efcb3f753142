"""
Detects the encoding of a file in one pass over its bytes, block by block.

UTF-8 if every byte is valid. Otherwise Windows-1252 or Latin-1, if non-ASCII bytes are rare (as in a western language
with accents). Otherwise an error says where UTF-8 is invalid and asks for the encoding.
"""

import codecs
import re
from typing import BinaryIO

from allennlp.common.checks import ConfigurationError

BLOCK = 1 << 20
BYTES_ABOVE_ASCII = bytes(range(128, 256))
ONLY_IN_WINDOWS = frozenset(range(128, 160))
NOT_IN_WINDOWS = frozenset(b"\x81\x8d\x8f\x90\x9d")
# In western text few letters have accents, and rarely two in a row; in Cyrillic, Arabic or Chinese nearly all bytes are
# non-ASCII. A few bytes are not enough to decide.
MOST_ACCENTS, MOST_TOGETHER, FEW = 0.25, 0.6, 20
TOGETHER = re.compile(rb"[\x80-\xff]{2,}")
IN_UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def detect_encoding(raw: BinaryIO, file: str) -> tuple[str, bool]:
    """The name of the encoding for `open`, and whether it is a guess. Reads `raw` to the end."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    block = raw.read(BLOCK)
    for mark, name in BOMS:
        if block.startswith(mark):
            return name, False
    if block.count(0) * 4 > len(block):
        raise ConfigurationError(
            f"{file}:1 is not UTF-8 text: at least a quarter of its bytes are NUL. Set `encoding`, perhaps to "
            f"utf-16-le."
        )
    while block:
        try:
            decoder.decode(block)
        except UnicodeDecodeError as error:
            return _western(block, raw, file, line + error.object[: error.start].count(b"\n")), True
        line += block.count(b"\n")
        block = raw.read(BLOCK)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise _unknown(file, line, "the file ends in the middle of a character") from error
    return "utf-8-sig", False


def _western(block: bytes, raw: BinaryIO, file: str, line: int) -> str:
    """Windows-1252 or Latin-1, if the file from `block` on looks like a western language."""
    total = above = together = in_utf8 = 0
    seen: set[int] = set()
    while block:
        total += len(block)
        above += len(block) - len(block.translate(None, BYTES_ABOVE_ASCII))
        together += sum(map(len, TOGETHER.findall(block)))
        in_utf8 += sum(map(len, IN_UTF8.findall(block)))
        seen.update(block)
        block = raw.read(BLOCK)
    if 2 * in_utf8 > above:
        raise _unknown(file, line, "most of it looks like UTF-8, so this byte is probably damaged")
    if above > MOST_ACCENTS * total or (together > MOST_TOGETHER * above and above > FEW):
        raise _unknown(file, line, "it has more non-ASCII bytes than a western language")
    return "cp1252" if seen & ONLY_IN_WINDOWS and not seen & NOT_IN_WINDOWS else "latin-1"


def _unknown(file: str, line: int, reason: str) -> ConfigurationError:
    return ConfigurationError(
        f"{file}:{line} is not UTF-8, and {reason}. Set `encoding` to the encoding of the file (such as gb18030 or "
        f"windows-1251), or fix the file."
    )
