"""
Combines the most probable taggings of sentences into those of a text.

Sentences are independent, so a tagging of the text consists of one tagging per sentence, and its probability is the
product. The k best taggings of a longer text are among the k best so far combined with the k best of the next sentence.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from ner_zoo.labels.prediction import Tagging


@dataclass(frozen=True)
class TaggingSequence:
    """Taggings of the first sentences: that of the last one, linked to the previous ones."""

    log_probability: float = 0.0
    last: Tagging | None = None
    before: Optional["TaggingSequence"] = None

    @property
    def taggings(self) -> list[Tagging]:
        """One tagging per sentence, in order."""
        found: list[Tagging] = []
        sequence: TaggingSequence | None = self
        while sequence is not None and sequence.last is not None:
            found.append(sequence.last)
            sequence = sequence.before
        return found[::-1]


def most_probable(sentences: Sequence[Sequence[Tagging]], k: int) -> list[TaggingSequence]:
    """The `k` most probable combinations of one tagging per sentence, best first."""
    best = [TaggingSequence()]
    for taggings in sentences:
        longer = (
            TaggingSequence(sequence.log_probability + tagging.log_probability, tagging, sequence)
            for sequence in best
            for tagging in taggings
        )
        best = heapq.nlargest(k, longer, key=lambda sequence: sequence.log_probability)
    return best
