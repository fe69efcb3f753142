"""
Streams the elements of a JSON list: exports of annotation tools may not fit in memory, and are often a single line.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.text_file import READ_ERRORS, chunks, open_bytes, open_text
from ner_zoo.data.repairs import Repairs

BLANK = " \t\r\n"
# A value cut off this close to the end of the buffer may continue in the next chunk.
CUT = 16


class Element(NamedTuple):
    """line : line where it starts. text : its source text. value : its parsed value."""

    line: int
    text: str
    value: Any


def is_list(file: str) -> bool:
    """Whether a file starts with a bracket."""
    try:
        with open_bytes(file) as raw:
            while block := raw.read(4096):
                if begin := block.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"):
                    return begin.startswith(b"[")
    except READ_ERRORS:
        pass  # reported when it is read
    return False


def elements(file: str, encoding: str | None, repairs: Repairs) -> Iterator[Element]:
    with open_text(file, encoding, repairs) as handle:
        text = _Text(chunks(handle, file), file)
        text.expect("[")
        if text.next() != "]":
            yield text.element()
            while text.next() != "]":
                text.expect(",")
                yield text.element()
        text.expect("]")
        if text.next():
            raise text.error("there is text after the end of the list")


class _Text:
    """The part of a file that has been read but not yet used."""

    def __init__(self, stream: Iterator[str], file: str) -> None:
        self._stream = stream
        self._file = file
        self._text = ""
        self._place = 0
        self._line = 1
        self._decode = json.JSONDecoder().raw_decode

    def next(self) -> str:
        """The next character that is not white space; empty at the end of the file."""
        while True:
            while self._place < len(self._text) and self._text[self._place] in BLANK:
                self._skip(1)
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._read_more(1):
                return ""

    def expect(self, character: str) -> None:
        found = self.next()
        if found != character:
            raise self.error(f"expected {character}, found {found!r}" if found else "it ends inside the list")
        self._skip(1)

    def element(self) -> Element:
        """The next value and its position."""
        self.next()
        line = self._line
        while True:
            try:
                value, end = self._decode(self._text, self._place)
            except json.JSONDecodeError as error:
                if self._may_continue(error) and self._read_more(len(self._text) - self._place):
                    continue
                raise self.error(str(error.msg), self._text.count("\n", self._place, error.pos)) from None
            except RecursionError:
                raise self.error("lists or objects are nested too deeply") from None
            except ValueError as error:  # a number with thousands of digits
                raise self.error(str(error)) from None
            written = self._text[self._place : end]
            self._skip(end - self._place)
            return Element(line, written, value)

    def error(self, reason: str, lines: int = 0) -> ConfigurationError:
        return ConfigurationError(
            f"{self._file}:{self._line + lines} is not JSON ({reason}). The file starts like a list of objects. Check "
            "that it is complete."
        )

    def _may_continue(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos + CUT >= len(self._text)

    def _read_more(self, least: int) -> bool:
        """Reads at least that many characters, to avoid parsing a large value repeatedly; false at the end."""
        read, size = [], 0
        for chunk in self._stream:
            read.append(chunk)
            size += len(chunk)
            if size >= least:
                break
        self._text = self._text[self._place :] + "".join(read)
        self._place = 0
        return bool(read)

    def _skip(self, number: int) -> None:
        self._line += self._text.count("\n", self._place, self._place + number)
        self._place += number
