"""
The most probable taggings of a text from those of its sentences.

Sentences are independent, so a tagging of the text picks one for each sentence and its probability is the product. The
best k of a growing text are among the best k so far, times the best k of the next sentence.
"""

import heapq
from dataclasses import dataclass
from typing import Iterable, List, Optional, Sequence, Tuple

from ner_zoo.annotation import Entity
from ner_zoo.predictors.prediction import Tagging


@dataclass(frozen=True)
class Way:
    """A tagging of the first sentences, as the last of them and the way to it."""

    log_probability: float = 0.0
    last: Optional[Tagging] = None
    before: Optional["Way"] = None

    @property
    def taggings(self) -> List[Tagging]:
        """One for each sentence, in order."""
        found: List[Tagging] = []
        way: Optional[Way] = self
        while way is not None and way.last is not None:
            found.append(way.last)
            way = way.before
        return found[::-1]

    def as_tagging(self, entities: Iterable[Tuple[Entity, float]]) -> Tagging:
        return Tagging(self.log_probability, tuple(entities))


def most_probable(sentences: Sequence[Sequence[Tagging]], k: int) -> List[Way]:
    """The `k` best ways to pick one tagging for each sentence, best first."""
    ways = [Way()]
    for taggings in sentences:
        longer = (
            Way(way.log_probability + tagging.log_probability, tagging, way) for way in ways for tagging in taggings
        )
        ways = heapq.nlargest(k, longer, key=lambda way: way.log_probability)
    return ways
