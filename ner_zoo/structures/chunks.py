"""
What it means that exactly this chunk is in a labelling, whatever the tagging scheme.

A chunk `[first, last)` of a kind is in a labelling iff the step into `first` starts a chunk, the label there is of the
kind, each step inside goes on with it, and the step out of it, if there is one, does not.
"""

from typing import NamedTuple

from torch import BoolTensor, LongTensor


class ChunkRules(NamedTuple):
    """
    starts : `(labels + 1, labels)`, true where a step begins a chunk; the last row is the step into the first position.
    continues : `(labels, labels)`, true where a step goes on with the chunk.
    kind_of_label : `(labels,)`, the kind of chunk a label belongs to, -1 for none.
    """

    starts: BoolTensor
    continues: BoolTensor
    kind_of_label: LongTensor


class Chunks(NamedTuple):
    """Each `(chunks,)`: the index of the sentence in the batch, the half-open span of positions, the kind."""

    sentence: LongTensor
    first: LongTensor
    last: LongTensor
    kind: LongTensor

    def check(self, lengths: LongTensor) -> None:
        wrong = (self.first < 0) | (self.first >= self.last) | (self.last > lengths[self.sentence])
        if bool(wrong.any()):
            chunk = int(wrong.nonzero()[0, 0])
            sentence = int(self.sentence[chunk])
            raise ValueError(
                f"Chunk {chunk} is [{int(self.first[chunk])}, {int(self.last[chunk])}) in sentence {sentence} of the "
                f"batch, which has {int(lengths[sentence])} positions. A chunk is a half-open span inside its sentence."
            )
