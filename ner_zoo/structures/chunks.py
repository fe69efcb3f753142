"""
Defines when exactly a given chunk is in a labelling, for any tag scheme.

A chunk `[first, last)` of a kind is in a labelling iff the transition into `first` starts a chunk, the label there is
of that kind, each transition inside continues it, and the transition out of it, if any, does not.

The rows may be several labellings of the same sentences: `n` times the batch. Chunks are sorted by row, and from left
to right.
"""

from typing import NamedTuple

import torch
from torch import BoolTensor, LongTensor


class ChunkRules(NamedTuple):
    """
    starts : `(labels + 1, labels)`, true where a transition starts a chunk; the last row is for the first position.
    continues : `(labels, labels)`, true where a transition continues the chunk.
    kind_of_label : `(labels,)`, the kind of chunk of each label, -1 for none.
    """

    starts: BoolTensor
    continues: BoolTensor
    kind_of_label: LongTensor

    def to(self, device: torch.device) -> "ChunkRules":
        return ChunkRules(*(table.to(device) for table in self))


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
                f"batch, which has {int(lengths[sentence])} positions. A chunk must be a half-open span inside its "
                f"sentence."
            )


def borders(labels: LongTensor, mask: BoolTensor, rules: ChunkRules) -> tuple[BoolTensor, BoolTensor]:
    """Where chunks start, and where their last positions are: each `(rows, positions)`."""
    edge = labels.new_full((len(labels), 1), len(rules.kind_of_label))
    begins = rules.starts[torch.cat([edge, labels[:, :-1]], 1), labels] & mask
    goes_on = torch.zeros_like(begins)
    goes_on[:, :-1] = rules.continues[labels[:, :-1], labels[:, 1:]] & mask[:, 1:]
    return begins, (rules.kind_of_label[labels] >= 0) & mask & ~goes_on


def chunks_of(labels: LongTensor, mask: BoolTensor, rules: ChunkRules) -> Chunks:
    """The chunks of every row of `(rows, positions)`."""
    begins, ends = borders(labels, mask, rules)
    row, first = begins.nonzero(as_tuple=True)
    return Chunks(row, first, ends.nonzero(as_tuple=True)[1] + 1, rules.kind_of_label[labels[row, first]])
