"""
Corpus statistics: counts by type, widths and lengths, and nesting of entities.

Sentences are counted as a stream; only counters are kept in memory.
"""

from collections import Counter
from collections.abc import Sequence

from ner_zoo.annotation import Entity, Sentence


class Statistics:
    """Add sentences, then read the counters."""

    def __init__(self) -> None:
        self.tokens = 0
        self.numeric_tokens = 0
        self.unknown_tokens = 0
        self.entity_types: Counter = Counter()
        self.relation_types: Counter = Counter()
        self.lengths: Counter = Counter()  # sentence lengths in tokens
        self.widths: Counter = Counter()  # entity widths in tokens
        self.tags: Counter = Counter()  # BIO tags of the outermost entities
        self.nested = self.crossing = self.discontinuous = self.two_types = 0

    @property
    def sentences(self) -> int:
        return sum(self.lengths.values())

    @property
    def entities(self) -> int:
        return sum(self.entity_types.values())

    @property
    def relations(self) -> int:
        return sum(self.relation_types.values())

    def add(self, sentence: Sentence) -> None:
        length = len(sentence.tokens)
        self.lengths[length] += 1
        self.tokens += length
        self.numeric_tokens += sum(map(str.isdecimal, sentence.tokens))
        self.unknown_tokens += len(sentence.unknown)
        for relation in sentence.relations:
            self.relation_types[relation.type] += 1
        for entity in sentence.entities:
            self.entity_types[entity.type] += 1
            self.widths[entity.width] += 1
            self.discontinuous += entity.is_discontinuous
        ordered = sorted(sentence.entities, key=lambda entity: (entity.start, -entity.end))
        self._add_overlaps(ordered)
        self._add_tags(ordered, length - len(sentence.unknown))

    def _add_overlaps(self, ordered: Sequence[Entity]) -> None:
        """An entity is nested if its hull is inside that of another, and crosses one that it overlaps partially."""
        still_open: list[Entity] = []
        for entity in ordered:
            still_open = [other for other in still_open if other.end > entity.start]
            self.nested += any(entity.end <= other.end for other in still_open)
            self.crossing += sum(entity.end > other.end for other in still_open)
            self.two_types += any(entity.fragments == other.fragments for other in still_open)
            still_open.append(entity)

    def _add_tags(self, ordered: Sequence[Entity], outside: int) -> None:
        end = 0
        for entity in ordered:
            if entity.start < end:
                continue
            end = entity.end
            self.tags[f"B-{entity.type}"] += 1
            if entity.width > 1:
                self.tags[f"I-{entity.type}"] += entity.width - 1
            outside -= entity.width
        self.tags["O"] += outside

    def to_dict(self) -> dict[str, object]:
        """All statistics as plain JSON."""
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "entities": self.entities,
            "relations": self.relations,
            "entity_types": dict(self.entity_types.most_common()),
            "relation_types": dict(self.relation_types.most_common()),
            "unknown_tokens": self.unknown_tokens,
            "nested": self.nested,
            "crossing": self.crossing,
            "discontinuous": self.discontinuous,
            "two_types": self.two_types,
            "widths": {str(width): self.widths[width] for width in sorted(self.widths)},
            "lengths": {str(length): self.lengths[length] for length in sorted(self.lengths)},
            "tags": dict(self.tags.most_common()),
        }
