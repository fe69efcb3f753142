"""
The most probable taggings of a text from those of its sentences.

Sentences are independent, so a tagging of the text picks one for each sentence and its probability is the product. The
best k of a growing text are among the best k so far, times the best k of the next sentence.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from ner_zoo.labels.prediction import Tagging


@dataclass(frozen=True)
class TaggingSequence:
    """A tagging of each of the first sentences: that of the last one, and the sequence before it."""

    log_probability: float = 0.0
    last: Tagging | None = None
    before: Optional["TaggingSequence"] = None

    @property
    def taggings(self) -> list[Tagging]:
        """One for each sentence, in order."""
        found: list[Tagging] = []
        sequence: TaggingSequence | None = self
        while sequence is not None and sequence.last is not None:
            found.append(sequence.last)
            sequence = sequence.before
        return found[::-1]


def most_probable(sentences: Sequence[Sequence[Tagging]], k: int) -> list[TaggingSequence]:
    """The `k` most probable choices of one tagging for each sentence, best first."""
    best = [TaggingSequence()]
    for taggings in sentences:
        longer = (
            TaggingSequence(sequence.log_probability + tagging.log_probability, tagging, sequence)
            for sequence in best
            for tagging in taggings
        )
        best = heapq.nlargest(k, longer, key=lambda sequence: sequence.log_probability)
    return best
