"""
What it means that exactly this chunk is in a labelling, whatever the tagging scheme.

A chunk `[first, last)` of a kind is in a labelling iff the step into `first` starts a chunk, the label there is of the
kind, each step inside continues it, and the step out of it, if there is one, does not.

Rows of labels may be several labellings of the same sentences: `n` times the batch. Chunks come row by row, from left
to right.
"""

from typing import NamedTuple

import torch
from torch import BoolTensor, LongTensor


class ChunkRules(NamedTuple):
    """
    starts : `(labels + 1, labels)`, true where a step begins a chunk; the last row is the step into the first position.
    continues : `(labels, labels)`, true where a step continues the chunk.
    kind_of_label : `(labels,)`, the kind of chunk a label belongs to, -1 for none.
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
                f"batch, which has {int(lengths[sentence])} positions. A chunk is a half-open span inside its sentence."
            )


def borders(labels: LongTensor, mask: BoolTensor, rules: ChunkRules) -> tuple[BoolTensor, BoolTensor]:
    """Where chunks begin, and where their last positions are: each `(rows, positions)`."""
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
