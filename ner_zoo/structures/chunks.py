"""
How probable is it that exactly this chunk is in the labelling, summed over all that the rest of it may be?

A chunk `[first, last)` of a kind is in a labelling iff the step into `first` starts a chunk, the label there is of the
kind, each step inside goes on with it, and the step out of it, if there is one, does not:

    p = sum over labels inside: before(first - 1) -> start -> continue ... continue -> stop -> after(last)    / Z

`before` and `after` are the forward and backward sums of the chain, so the cost of a chunk grows with its width only.
"""

from math import inf
from typing import NamedTuple

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chain_torch import Potentials, backward, finish, forward
from ner_zoo.structures.log_space import log_sum_exp


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


def chunk_marginals(chain: Potentials, chunks: Chunks, rules: ChunkRules) -> Tensor:
    """`(chunks,)`"""
    sentence, first, last, kind = chunks
    if len(sentence) == 0:
        return chain.scores.new_zeros(0)
    before, after = forward(chain, log_sum_exp), backward(chain, log_sum_exp)
    inside = _enter(chain, chunks, rules, before)
    going_on = chain.transitions.masked_fill(~rules.continues, -inf)
    for offset in range(1, int((last - first).max())):
        position = (first + offset).clamp(max=chain.scores.shape[1] - 1)
        moved = log_sum_exp(inside.unsqueeze(2) + going_on, 1) + chain.scores[sentence, position]
        inside = torch.where((first + offset < last).unsqueeze(1), moved, inside)
    log_partition = finish(chain, before, log_sum_exp)[sentence]
    joint = log_sum_exp(inside + _leave(chain, chunks, rules, after), 1)
    return (joint - log_partition.masked_fill(log_partition == -inf, 0.0)).exp()


def _enter(chain: Potentials, chunks: Chunks, rules: ChunkRules, before: Tensor) -> Tensor:
    """The summed scores of all ways to the first position of each chunk that start it there: `(chunks, labels)`."""
    sentence, first, _, kind = chunks
    starting = chain.transitions.masked_fill(~rules.starts[:-1], -inf)
    within = log_sum_exp(before[sentence, (first - 1).clamp(min=0)].unsqueeze(2) + starting, 1)
    at_start = chain.start.masked_fill(~rules.starts[-1], -inf)
    entered = torch.where((first == 0).unsqueeze(1), at_start, within) + chain.scores[sentence, first]
    return entered.masked_fill(rules.kind_of_label != kind.unsqueeze(1), -inf)


def _leave(chain: Potentials, chunks: Chunks, rules: ChunkRules, after: Tensor) -> Tensor:
    """The summed scores of all ways on from the last position of each chunk that do not go on with it."""
    sentence, last = chunks.sentence, chunks.last
    at_end = last == chain.mask.sum(1)[sentence]
    position = last.clamp(max=chain.scores.shape[1] - 1)
    stopping = chain.transitions.masked_fill(rules.continues, -inf)
    onwards = log_sum_exp(stopping + (chain.scores[sentence, position] + after[sentence, position]).unsqueeze(1), 2)
    return torch.where(at_end.unsqueeze(1), chain.end, onwards)
