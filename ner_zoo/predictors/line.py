"""
Parses one line of an input file: a JSON object or plain text. Every line is an input; a bad one carries its error.

A blank line is a text without words. Lines end only at a line feed: other Unicode line separators are part of the text.
"""

import json
import re
from collections.abc import Iterator
from typing import IO, Any

from ner_zoo.predictors.document_text import SPACED

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# An object without its opening brace: a key, a colon, and a closing brace at the end.
REST_OF_OBJECT = re.compile(r'\s*"[^"]*"\s*:.*}\s*', re.DOTALL)


class Line(dict):
    """The JSON object of a line, with the line number (from 1)."""

    def __init__(self, fields: dict[str, Any], line: int) -> None:
        super().__init__(fields)
        self.line = line


class BadLine(Line):
    """A line that could not be read; its `error` says why."""


def read_line(raw: bytes, number: int) -> Line:
    """Parses the input on a line."""
    try:
        text = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        bad = raw[error.start : error.end].hex(" ")
        return BadLine({"error": f"The line is not UTF-8: byte {error.start + 1} is {bad}."}, number)
    if not text.lstrip().startswith("{") and not REST_OF_OBJECT.fullmatch(text):
        return Line({"text": text}, number)
    try:
        return Line(json.loads(text), number)
    except ValueError as error:
        return BadLine({"error": f"The line looks like JSON but cannot be parsed: {error}"}, number)
    except RecursionError:
        return BadLine({"error": "The line is JSON that is nested too deeply."}, number)


def read_lines(file: IO[bytes]) -> Iterator[Line]:
    """The inputs of a file, including blank lines."""
    for number, raw in enumerate(file, start=1):
        yield read_line(raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw, number)


def with_fields(given: Any, output: dict[str, Any]) -> dict[str, Any]:
    """The input's fields followed by the output's; the output wins if both have a field."""
    return {**given, **output} if isinstance(given, dict) else output


def write_line(fields: dict[str, Any]) -> str:
    """A JSON object as a line."""
    return SPACED.value(fields).decode() + "\n"
