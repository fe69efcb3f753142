"""
The beginning of a file, used to detect its format.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ner_zoo.data.corpora.binary_files import kind_of_binary
from ner_zoo.data.corpora.text_file import READ_ERRORS, open_bytes

BYTES = 1 << 20
MOST_RECORDS = 50
MOST_ROWS = 200


@dataclass(frozen=True)
class Sample:
    """
    file : its path; the sample of a folder is empty.
    head : its first bytes, decompressed.
    is_whole : whether this is the whole file.
    """

    file: str
    head: bytes
    is_whole: bool

    @classmethod
    def of(cls, file: str) -> "Sample":
        if os.path.isdir(file):
            return cls(file, b"", True)
        head, is_whole = b"", False
        # For a damaged file, the part before the damage; the reader reports the rest.
        with suppress(*READ_ERRORS), open_bytes(file) as raw:
            while len(head) <= BYTES and (block := raw.read1(1 << 16)):  # type: ignore[attr-defined]
                head += block
            is_whole = len(head) <= BYTES
        return cls(file, head[:BYTES], is_whole)

    @property
    def ending(self) -> str:
        """The extension such as `.json`, in lower case, without `.gz`."""
        return os.path.splitext(self.file.removesuffix(".gz"))[1].lower()

    @cached_property
    def text(self) -> str:
        encoding = "utf-16" if self.head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        return self.head.decode(encoding, "replace")

    @cached_property
    def rows(self) -> list[str]:
        """The first complete lines that are not empty."""
        found = [line.removesuffix("\r") for line in self.text.split("\n")]
        return [line for line in (found if self.is_whole else found[:-1])[:MOST_ROWS] if line.strip()]

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The first objects of a file of JSON lines or of a JSON list; empty if it is not JSON."""
        text = self.text.lstrip()
        if text[:1] not in ("{", "["):
            return []
        found: list[dict[str, Any]] = []
        place = 1 if text.startswith("[") else 0
        decoder = json.JSONDecoder()
        while len(found) < MOST_RECORDS:
            place += len(text[place : place + 1000]) - len(text[place : place + 1000].lstrip(" \t\r\n,"))
            if text[place : place + 1] != "{":
                break
            try:
                value, place = decoder.raw_decode(text, place)
            except (ValueError, RecursionError):
                break
            found.append(value)
        return found

    def shown(self) -> str:
        """A description of the file for a message: the fields of its records, or its first row."""
        if self.records:
            return f"its records have the fields {', '.join(sorted(self.records[0])[:12])}"
        kind = kind_of_binary(self.head)
        if kind is not None or "\ufffd" in self.text[:200]:
            return f"it {kind or 'is not text'}".rstrip(".")
        if self.text.lstrip()[:1] in ("{", "["):
            return self._problem_of_json()
        columns = len(self.rows[0].split("\t" if "\t" in self.rows[0] else None)) if self.rows else 0
        return f"its first row has {columns} columns: {self.rows[0][:80]!r}" if self.rows else "it has no row"

    def _problem_of_json(self) -> str:
        """Why text that starts like JSON contains no record."""
        try:
            value = json.loads(self.text)
        except RecursionError:
            return "its lists or objects are nested too deeply"
        except ValueError as error:
            return f"it looks like JSON, but its first record cannot be parsed ({error})"
        return "it is an empty JSON list" if not value else "it is a JSON list, but not a list of objects"

    def every(self, is_ours: Callable[[dict[str, Any]], bool]) -> bool:
        """Whether there are records and all of them match."""
        return bool(self.records) and all(map(is_ours, self.records))
