"""
The probability of each of many chunks, from the sums over all ways to its first position and on from its last one:

    p = sum over labels inside: before(first - 1) -> start -> continue ... continue -> stop -> after(last)    / Z

The cost of a chunk grows with its width only.
"""

from math import inf

import torch
from torch import Tensor

from ner_zoo.structures.chain_torch.recursion import backward, finish, forward
from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.log_space import log_sum_exp
from ner_zoo.structures.potentials import Potentials


def chunk_marginals(chain: Potentials, chunks: Chunks, rules: ChunkRules) -> Tensor:
    """`(chunks,)`"""
    chain = chain.legal()
    sentence, first, last, _ = chunks
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
