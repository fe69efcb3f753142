"""
One sentence of a WebAnno TSV file: its text, its rows, and its annotations.

A cell contains the values of stacked annotations, separated by `|`; `_` means no value, `*` an annotation without a
value, and `PER[7]` an annotation with the number 7 because it covers several rows or shares one. Reserved characters
are escaped with a backslash.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Span
from ner_zoo.data.corpora import utf16
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention
from ner_zoo.data.corpora.webanno_layers import Layer
from ner_zoo.data.repairs import Repairs

ROW = re.compile(r"(\d+-\d+)(\.\d+)?\t(\d+)-(\d+)\t(.*)")
STACKED = re.compile(r"((?:\\.|[^|\\])*)(?:\||$)")
NUMBERED = re.compile(r"((?:\\.|[^\\])*?)(?:\[(\d+)(?:_(\d+))?\])?\\?", re.DOTALL)
ESCAPED = re.compile(r"\\(->|.)")
NAMES = {"t": "\t", "n": "\n", "r": "\r"}


class Value(NamedTuple):
    """One annotation in a cell: its value (may be empty) and its number (0 if none)."""

    text: str
    number: str
    second: str


def values_of(cell: str) -> Iterator[Value]:
    """The annotations of a cell."""
    if cell == "_":
        return
    for part in (match[1] for match in STACKED.finditer(cell) if match[0]):
        match = NUMBERED.fullmatch(part)
        assert match is not None
        yield Value("" if match[1] == "*" else unescaped(match[1]), match[2] or "0", match[3] or "0")


def unescaped(text: str) -> str:
    return ESCAPED.sub(lambda match: NAMES.get(match[1], match[1]), text)


class TsvSentence:
    """source : location of the first line of its text. spans, relations : the layers to read."""

    def __init__(self, source: str, spans: Layer, relations: list[Layer]) -> None:
        self.source = source
        self.ids: dict[str, None] = {}
        self._spans = spans
        self._relations = relations
        self._texts: list[str] = []
        self._tokens: list[tuple[Span, str, str]] = []
        # Keyed by number, or by row for annotations without one; on the characters of the document.
        self._mentions: dict[str, Mention] = {}
        self._links: list[Link] = []

    @property
    def has_rows(self) -> bool:
        return bool(self._tokens)

    def add_text(self, text: str) -> None:
        self._texts.append(unescaped(text))

    def add_row(self, line: str, source: str, repairs: Repairs) -> None:
        match = ROW.fullmatch(line)
        if match is None:
            raise ConfigurationError(f"{source} is not a WebAnno TSV row: {line[:60]!r}.")
        row, part, (start, end) = match[1], match[2], (int(match[3]), int(match[4]))
        cells = line.split("\t")
        if part is None:
            self._tokens.append(((start, end), unescaped(cells[2]), source))
        unit = row + (part or "")
        for value in values_of(self._cell(cells, self._spans.column, source)):
            self._add_span(value, unit, (start, end), source, repairs)
        for layer in self._relations:
            types = list(values_of(self._cell(cells, layer.column, source)))
            heads = list(values_of(self._cell(cells, layer.base_column, source)))
            for type, head in zip(types, heads):
                self._links.append(Link(type.text, _key(head.text, head.number), _key(unit, head.second), source))

    @staticmethod
    def _cell(cells: list[str], column: int, source: str) -> str:
        if column >= len(cells):
            raise ConfigurationError(f"{source} has {len(cells)} columns, but the header says at least {column + 1}.")
        return cells[column]

    def _add_span(self, value: Value, unit: str, span: Span, source: str, repairs: Repairs) -> None:
        key = _key(unit, value.number)
        if key in self._mentions:
            start, end = self._mentions[key].hull
            whole = (min(start, span[0]), max(end, span[1]))
            self._mentions[key] = replace(self._mentions[key], fragments=(whole,))
            return
        self._mentions[key] = Mention(value.text, (span,), source)
        if value.number != "0":
            self.ids[key] = None
        if not value.text:
            repairs.add("annotation without a value left out", source)

    def document(self, repairs: Repairs) -> AnnotatedText:
        """The sentence with its tokens and annotations, in its own character offsets."""
        text = "\n".join(self._texts)
        places = utf16.positions(text)
        first = self._tokens[0][0][0] if self._tokens else 0
        tokens = []
        for span, token, source in self._tokens:
            moved = _moved(span, first, places)
            if moved is None or text[slice(*moved)] != token:
                raise ConfigurationError(
                    f"{source}: the token {token[:60]!r} is not at {span[0]}-{span[1]} of its #Text."
                )
            tokens.append(moved)
        mentions: dict[str, Mention] = {}
        for key, mention in self._mentions.items():
            moved = _moved(mention.hull, first, places)
            if moved is None:
                raise ConfigurationError(f"{mention.source}: an annotation is outside its sentence.")
            if mention.type:
                mentions[key] = replace(mention, fragments=(moved,))
        links = [link for link in self._links if link.type]
        for _ in range(len(self._links) - len(links)):
            repairs.add("relation without a value left out", self.source)
        return AnnotatedText(text, self.source, mentions, links, tokens=tokens)


def _key(unit: str, number: str) -> str:
    """The key of an annotation: its number, or its only row."""
    return f"#{number}" if number != "0" else unit


def _moved(span: Span, first: int, places: dict[int, int]) -> Span | None:
    start, end = places.get(span[0] - first), places.get(span[1] - first)
    return None if start is None or end is None or start >= end else (start, end)
