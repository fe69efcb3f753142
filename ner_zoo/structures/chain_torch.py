"""
Operations of a linear chain as batched torch operations: on any device, with second derivatives.

One recursion, forward and backward, is the basis of all of them:

    forward[t, j]  = scores[t, j] + reduce_i (forward[t-1, i] + transitions[i, j])
    backward[t, i] = reduce_j (transitions[i, j] + scores[t+1, j] + backward[t+1, j])

With log-sum-exp as `reduce` it sums over labellings, with the maximum it finds the best one. A labelling is read from
`forward`, from the last position to the first, by taking the best label or a random one. The probability of a chunk is
the sum over its inner labels of

    forward(first - 1) -> start -> continue ... continue -> stop -> backward(last)    / Z
"""

from collections.abc import Callable
from math import inf

import torch
from torch import LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.log_space import choose, conditional_entropy, log_sum_exp
from ner_zoo.structures.potentials import Potentials
from ner_zoo.structures.structure import known

Reduce = Callable[[Tensor, int], Tensor]


def score(chain: Potentials, labels: LongTensor) -> Tensor:
    labels = known(labels, chain.mask, chain.scores.shape[2])
    if labels.shape[1] == 0:
        return chain.scores.sum((1, 2))
    last = labels.gather(1, (chain.mask.sum(1, keepdim=True) - 1).clamp(min=0)).squeeze(1)
    local = chain.scores.gather(2, labels.unsqueeze(2)).squeeze(2).masked_fill(~chain.mask, 0.0)
    steps = chain.transitions[labels[:, :-1], labels[:, 1:]].masked_fill(~chain.mask[:, 1:], 0.0)
    total = chain.start[labels[:, 0]] + local.sum(1) + steps.sum(1) + chain.end[last]
    return total.masked_fill(~chain.mask.any(1), 0.0)


def log_partition(chain: Potentials) -> Tensor:
    chain = chain.legal()
    return _finish(chain, _forward(chain, log_sum_exp), log_sum_exp)


def log_likelihood(chain: Potentials, labels: LongTensor) -> Tensor:
    return score(chain, labels) - log_partition(chain)


def marginals(chain: Potentials) -> Tensor:
    chain = chain.legal()
    before, after = _forward(chain, log_sum_exp), _backward(chain, log_sum_exp)
    log_partition = _finish(chain, before, log_sum_exp)
    log_partition = log_partition.masked_fill(log_partition == -inf, 0.0)
    joint = (before + after - log_partition[:, None, None]).exp()
    return joint.masked_fill(~chain.mask.unsqueeze(2), 0.0)


def entropy(chain: Potentials) -> Tensor:
    """By the recursion of `kernels.entropy`: the entropy of all labels before a position, given the label there."""
    chain = chain.legal()
    if chain.scores.shape[1] == 0:
        return chain.scores.sum((1, 2))
    before = _forward(chain, log_sum_exp)
    undecided = torch.zeros_like(before[:, 0])
    for position in range(1, before.shape[1]):
        arriving = before[:, position - 1].unsqueeze(2) + chain.transitions
        moved = conditional_entropy(arriving, 1, undecided.unsqueeze(2))
        undecided = torch.where(chain.mask[:, position, None], moved, undecided)
    return conditional_entropy(before[:, -1] + chain.end, 1, undecided).masked_fill(~chain.mask.any(1), 0.0)


def sample(chain: Potentials, uniform: Tensor) -> LongTensor:
    """uniform : `(n, batch, positions)`, numbers drawn from [0, 1), one per label to sample."""
    chain = chain.legal()
    before = _forward(chain, log_sum_exp).expand(uniform.shape[0], -1, -1, -1)
    return _trace(chain, before, lambda position, weights: choose(weights, uniform[:, :, position]))


def best(chain: Potentials) -> tuple[LongTensor, Tensor]:
    chain = chain.legal()
    before = _forward(chain, torch.amax)
    labels = _trace(chain, before.unsqueeze(0), lambda position, weights: weights.argmax(-1))[0]
    return labels, _finish(chain, before, torch.amax)


def n_best(chain: Potentials, n: int) -> tuple[LongTensor, Tensor]:
    chain = chain.legal()
    batch, positions, labels = chain.scores.shape
    before = chain.scores.new_full((batch, labels, n), -inf)
    before[:, :, 0] = chain.start + chain.scores[:, 0] if positions else before[:, :, 0]
    came_from = []
    for position in range(1, positions):
        ways = before.reshape(batch, labels * n, 1) + chain.transitions.repeat_interleave(n, 0)
        arrived, origin = _top(ways, n)
        present = chain.mask[:, position].view(-1, 1, 1)
        stay = torch.arange(labels * n, device=origin.device).view(labels, n)
        before = torch.where(present, arrived + chain.scores[:, position].unsqueeze(2), before)
        came_from.append(torch.where(present, origin, stay))
    scores, cell = _top((before + chain.end.unsqueeze(1)).reshape(batch, labels * n, 1), n)
    scores, cell = scores.squeeze(1), cell.squeeze(1)
    found = [cell // n]
    for origin in reversed(came_from):
        cell = origin.reshape(batch, labels * n).gather(1, cell)
        found.append(cell // n)
    empty = ~chain.mask.any(1)
    scores[empty] = -inf
    scores[empty, 0] = 0.0
    paths = torch.stack(found[::-1], 2)[:, :, :positions] if positions else cell.new_zeros(batch, n, 0)
    paths = paths.masked_fill(~chain.mask.unsqueeze(1) | (scores == -inf).unsqueeze(2), 0)
    return paths.transpose(0, 1), scores.t()


def _top(ways: Tensor, n: int) -> tuple[Tensor, LongTensor]:
    """The `n` best of the second dimension and their indices, for each of the third: `(batch, labels, n)`."""
    if ways.shape[1] < n:
        ways = torch.cat([ways, ways.new_full((ways.shape[0], n - ways.shape[1], ways.shape[2]), -inf)], 1)
    values, indices = ways.topk(n, 1)
    return values.transpose(1, 2), indices.transpose(1, 2)


def chunk_marginals(chain: Potentials, chunks: Chunks, rules: ChunkRules) -> Tensor:
    """`(chunks,)`"""
    chain = chain.legal()
    sentence, first, last, _ = chunks
    if len(sentence) == 0:
        return chain.scores.new_zeros(0)
    before, after = _forward(chain, log_sum_exp), _backward(chain, log_sum_exp)
    inside = _enter(chain, chunks, rules, before)
    going_on = chain.transitions.masked_fill(~rules.continues, -inf)
    for offset in range(1, int((last - first).max())):
        position = (first + offset).clamp(max=chain.scores.shape[1] - 1)
        moved = log_sum_exp(inside.unsqueeze(2) + going_on, 1) + chain.scores[sentence, position]
        inside = torch.where((first + offset < last).unsqueeze(1), moved, inside)
    log_partition = _finish(chain, before, log_sum_exp)[sentence]
    joint = log_sum_exp(inside + _leave(chain, chunks, rules, after), 1)
    return (joint - log_partition.masked_fill(log_partition == -inf, 0.0)).exp()


def _enter(chain: Potentials, chunks: Chunks, rules: ChunkRules, before: Tensor) -> Tensor:
    """The total score of all paths to the first position of each chunk that start it there: `(chunks, labels)`."""
    sentence, first, _, kind = chunks
    starting = chain.transitions.masked_fill(~rules.starts[:-1], -inf)
    within = log_sum_exp(before[sentence, (first - 1).clamp(min=0)].unsqueeze(2) + starting, 1)
    at_start = chain.start.masked_fill(~rules.starts[-1], -inf)
    entered = torch.where((first == 0).unsqueeze(1), at_start, within) + chain.scores[sentence, first]
    return entered.masked_fill(rules.kind_of_label != kind.unsqueeze(1), -inf)


def _leave(chain: Potentials, chunks: Chunks, rules: ChunkRules, after: Tensor) -> Tensor:
    """The total score of all paths from the last position of each chunk that do not continue it."""
    sentence, last = chunks.sentence, chunks.last
    at_end = last == chain.mask.sum(1)[sentence]
    position = last.clamp(max=chain.scores.shape[1] - 1)
    stopping = chain.transitions.masked_fill(rules.continues, -inf)
    onwards = log_sum_exp(stopping + (chain.scores[sentence, position] + after[sentence, position]).unsqueeze(1), 2)
    return torch.where(at_end.unsqueeze(1), chain.end, onwards)


def _forward(chain: Potentials, reduce: Reduce) -> Tensor:
    """`(batch, positions, labels)`; after the end of a sentence its last values are repeated."""
    if chain.scores.shape[1] == 0:
        return chain.scores
    steps = [chain.start + chain.scores[:, 0]]
    for position in range(1, chain.scores.shape[1]):
        arrived = reduce(steps[-1].unsqueeze(2) + chain.transitions, 1) + chain.scores[:, position]
        steps.append(torch.where(chain.mask[:, position, None], arrived, steps[-1]))
    return torch.stack(steps, 1)


def _backward(chain: Potentials, reduce: Reduce) -> Tensor:
    """`(batch, positions, labels)`; from a sentence's last position on, the scores of ending there."""
    if chain.scores.shape[1] == 0:
        return chain.scores
    end = chain.end.expand(chain.scores.shape[0], -1)
    steps = [end]
    for position in range(chain.scores.shape[1] - 1, 0, -1):
        onwards = (chain.scores[:, position] + steps[-1]).unsqueeze(1) + chain.transitions
        steps.append(torch.where(chain.mask[:, position, None], reduce(onwards, 2), end))
    return torch.stack(steps[::-1], 1)


def _finish(chain: Potentials, before: Tensor, reduce: Reduce) -> Tensor:
    """The final values of `forward` of each sentence: `(batch,)`."""
    if before.shape[1] == 0:
        return before.sum((1, 2))
    return reduce(before[:, -1] + chain.end, 1).masked_fill(~chain.mask.any(1), 0.0)


def _trace(chain: Potentials, before: Tensor, pick: Callable[[int, Tensor], LongTensor]) -> LongTensor:
    """One labelling per row of `before (n, batch, positions, labels)`, chosen from the last position to the first."""
    n, batch, positions, _ = before.shape
    if positions == 0:
        return before.new_zeros(n, batch, 0, dtype=torch.long)
    beyond = torch.cat([chain.mask[:, 1:], torch.zeros_like(chain.mask[:, :1])], 1)
    onwards = chain.end.expand(n, batch, -1)
    labels: list[LongTensor] = []
    for position in range(positions - 1, -1, -1):
        if labels:
            onwards = torch.where(beyond[:, position, None], chain.transitions.t()[labels[-1]], chain.end)
        labels.append(pick(position, before[:, :, position] + onwards))
    infeasible = _finish(chain, before[0], torch.amax) == -inf
    return torch.stack(labels[::-1], 2).masked_fill(~chain.mask | infeasible.unsqueeze(1), 0)
