"""
A document of DyGIE++ or PURE as one JSON object. Token indices refer to the whole document, and ends are inclusive:

    {"sentences": [["Jane", "Roe", "visits", "Lima"]],
     "ner": [[[0, 1, "PER"], [3, 3, "GPE"]]],
     "relations": [[[0, 1, 3, 3, "PHYS"]]]}

Clusters, events, predictions, weights and other fields are ignored.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora.annotated_text import Link, Mention
from ner_zoo.data.corpora.json_lines import checked, get, integers
from ner_zoo.data.corpora.tokenised_text import sentence_of
from ner_zoo.data.repairs import Repairs


def sentences_of_document(record: dict[str, Any], repairs: Repairs, source: str) -> Iterator[Sentence]:
    """The sentences of one document."""
    listed = get(record, "sentences", list, source)
    sentences = [
        [checked(token, str, "a token", source) for token in checked(s, list, "a sentence", source)] for s in listed
    ]
    document = _Document(sentences, repairs, source)
    for number, rows in enumerate(_per_sentence(record, "ner", len(sentences), source)):
        for row in rows:
            document.add_entity(row, number)
    for rows in _per_sentence(record, "relations", len(sentences), source):
        for row in rows:
            document.add_relation(row)
    for tokens, mentions, links in zip(sentences, document.mentions, document.links, strict=True):
        if tokens:
            yield sentence_of(tokens, mentions, links, repairs, source)


def _per_sentence(record: dict[str, Any], name: str, count: int, source: str) -> list[list[Any]]:
    """A field with one list per sentence; empty lists if it is missing."""
    listed = get(record, name, list, source, default=[[] for _ in range(count)])
    if len(listed) != count:
        raise ConfigurationError(
            f'{source}: "{name}" has {len(listed)} lists for {count} sentences. Provide one list per sentence.'
        )
    return [checked(rows, list, f'"{name}" of a sentence', source) for rows in listed]


class _Document:
    """Entities and relations, assigned to their sentences."""

    def __init__(self, sentences: list[list[str]], repairs: Repairs, source: str) -> None:
        self.mentions: list[dict[str, Mention]] = [{} for _ in sentences]
        self.links: list[list[Link]] = [[] for _ in sentences]
        self._starts = [0, *accumulate(map(len, sentences))]
        # Relations refer to entities only by span: the sentence and key of the first entity on that span.
        self._on_span: dict[Span, tuple[int, str]] = {}
        self._repairs = repairs
        self._source = source

    def add_entity(self, row: Any, listed_under: int) -> None:
        first, last = integers(row, "an entity", self._source, 2)
        type = checked(row[2] if len(row) > 2 else None, str, "the type of an entity", self._source)
        if not 0 <= first <= last < self._starts[-1]:
            raise ConfigurationError(
                f"{self._source}: an entity covers tokens {first} to {last}, but the document has {self._starts[-1]} "
                f"tokens. Indices must count the tokens of the whole document from 0, with inclusive ends."
            )
        number = bisect_right(self._starts, first) - 1
        start = self._starts[number]
        if last >= self._starts[number + 1]:
            self._repairs.add("entity that reaches into another sentence left out", self._source)
            return
        if number != listed_under:
            self._repairs.add("entity listed under another sentence moved to its own", self._source)
        key = str(len(self.mentions[number]))
        self.mentions[number][key] = Mention(type, ((first - start, last + 1 - start),), self._source)
        self._on_span.setdefault((first, last), (number, key))

    def add_relation(self, row: Any) -> None:
        numbers = integers(row, "a relation", self._source, 4)
        type = checked(row[4] if len(row) > 4 else None, str, "the type of a relation", self._source)
        head = self._on_span.get((numbers[0], numbers[1]))
        tail = self._on_span.get((numbers[2], numbers[3]))
        if head is None or tail is None:
            self._repairs.add("relation to a missing entity left out", self._source)
        elif head[0] != tail[0]:
            self._repairs.add("relation between two sentences left out", self._source)
        else:
            self.links[head[0]].append(Link(type, head[1], tail[1], self._source))
