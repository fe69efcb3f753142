"""
The recursions of a linear chain in batched torch operations: for any device, and for gradients of gradients.

    forward[t, j]  = scores[t, j] + reduce_i (forward[t-1, i] + transitions[i, j])
    backward[t, i] = reduce_j (transitions[i, j] + scores[t+1, j] + backward[t+1, j])

With `reduce` a log-sum-exp they sum over labellings, with `reduce` a maximum they look for the best one. A labelling is
read off `forward` from the last position to the first, by the best label or by a random one.
"""

from math import inf
from typing import Callable, NamedTuple, Tuple

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.log_space import choose, log_sum_exp

Reduce = Callable[[Tensor, int], Tensor]


class Potentials(NamedTuple):
    """
    The scores of a chain with -inf for all that is not legal.

    scores : `(batch, positions, labels)`
    transitions : `(labels, labels)`
    start, end : `(labels,)`
    mask : `(batch, positions)`
    """

    scores: Tensor
    transitions: Tensor
    start: Tensor
    end: Tensor
    mask: BoolTensor

    def rows(self, chosen: Tensor) -> "Potentials":
        """The same for some of the sentences."""
        return self._replace(scores=self.scores[chosen], mask=self.mask[chosen])


def forward(chain: Potentials, reduce: Reduce) -> Tensor:
    """`(batch, positions, labels)`; after a sentence's end its last values are repeated."""
    if chain.scores.shape[1] == 0:
        return chain.scores
    steps = [chain.start + chain.scores[:, 0]]
    for position in range(1, chain.scores.shape[1]):
        arrived = reduce(steps[-1].unsqueeze(2) + chain.transitions, 1) + chain.scores[:, position]
        steps.append(torch.where(chain.mask[:, position, None], arrived, steps[-1]))
    return torch.stack(steps, 1)


def backward(chain: Potentials, reduce: Reduce) -> Tensor:
    """`(batch, positions, labels)`; from a sentence's last position on, the scores of ending there."""
    if chain.scores.shape[1] == 0:
        return chain.scores
    end = chain.end.expand(chain.scores.shape[0], -1)
    steps = [end]
    for position in range(chain.scores.shape[1] - 1, 0, -1):
        onwards = (chain.scores[:, position] + steps[-1]).unsqueeze(1) + chain.transitions
        steps.append(torch.where(chain.mask[:, position, None], reduce(onwards, 2), end))
    return torch.stack(steps[::-1], 1)


def log_partition(chain: Potentials) -> Tensor:
    return finish(chain, forward(chain, log_sum_exp), log_sum_exp)


def marginals(chain: Potentials) -> Tensor:
    before, after = forward(chain, log_sum_exp), backward(chain, log_sum_exp)
    log_partition = finish(chain, before, log_sum_exp)
    log_partition = log_partition.masked_fill(log_partition == -inf, 0.0)
    joint = (before + after - log_partition[:, None, None]).exp()
    return joint.masked_fill(~chain.mask.unsqueeze(2), 0.0)


def best(chain: Potentials) -> LongTensor:
    before = forward(chain, torch.amax).unsqueeze(0)
    return _trace(chain, before, lambda position, weights: weights.argmax(-1))[0]


def sample(chain: Potentials, uniform: Tensor) -> LongTensor:
    """uniform : `(n, batch, positions)`, numbers drawn from [0, 1), one per label to choose."""
    before = forward(chain, log_sum_exp).expand(uniform.shape[0], -1, -1, -1)
    return _trace(chain, before, lambda position, weights: choose(weights, uniform[:, :, position]))


def n_best(chain: Potentials, n: int) -> Tuple[LongTensor, Tensor]:
    batch, positions, labels = chain.scores.shape
    before = chain.scores.new_full((batch, labels, n), -inf)
    before[:, :, 0] = chain.start + chain.scores[:, 0] if positions else before[:, :, 0]
    came_from = []
    for position in range(1, positions):
        ways = before.view(batch, labels * n, 1) + chain.transitions.repeat_interleave(n, 0)
        arrived, origin = _top(ways, n)
        present = chain.mask[:, position].view(-1, 1, 1)
        stay = torch.arange(labels * n, device=origin.device).view(labels, n)
        before = torch.where(present, arrived + chain.scores[:, position].unsqueeze(2), before)
        came_from.append(torch.where(present, origin, stay))
    scores, cell = _top((before + chain.end.unsqueeze(1)).view(batch, labels * n, 1), n)
    scores, cell = scores.squeeze(1), cell.squeeze(1)
    found = [cell // n]
    for origin in reversed(came_from):
        cell = origin.view(batch, labels * n).gather(1, cell)
        found.append(cell // n)
    empty = ~chain.mask.any(1)
    scores[empty] = -inf
    scores[empty, 0] = 0.0
    paths = torch.stack(found[::-1], 2)[:, :, :positions] if positions else cell.new_zeros(batch, n, 0)
    paths = paths.masked_fill(~chain.mask.unsqueeze(1) | (scores == -inf).unsqueeze(2), 0)
    return paths.transpose(0, 1), scores.t()


def _top(ways: Tensor, n: int) -> Tuple[Tensor, LongTensor]:
    """The `n` best of the second dimension and where they are, for each of the third: `(batch, labels, n)`."""
    if ways.shape[1] < n:
        ways = torch.cat([ways, ways.new_full((ways.shape[0], n - ways.shape[1], ways.shape[2]), -inf)], 1)
    values, indices = ways.topk(n, 1)
    return values.transpose(1, 2), indices.transpose(1, 2)


def finish(chain: Potentials, before: Tensor, reduce: Reduce) -> Tensor:
    """What `forward` comes to at each sentence's end: `(batch,)`."""
    if before.shape[1] == 0:
        return before.sum((1, 2))
    return reduce(before[:, -1] + chain.end, 1).masked_fill(~chain.mask.any(1), 0.0)


def _trace(chain: Potentials, before: Tensor, pick: Callable[[int, Tensor], LongTensor]) -> LongTensor:
    """One labelling per row of `before (n, batch, positions, labels)`, picked from the last position to the first."""
    n, batch, positions, _ = before.shape
    if positions == 0:
        return before.new_zeros(n, batch, 0, dtype=torch.long)
    beyond = torch.cat([chain.mask[:, 1:], torch.zeros_like(chain.mask[:, :1])], 1)
    onwards = chain.end.expand(n, batch, -1)
    labels = []
    for position in range(positions - 1, -1, -1):
        if labels:
            onwards = torch.where(beyond[:, position, None], chain.transitions.t()[labels[-1]], chain.end)
        labels.append(pick(position, before[:, :, position] + onwards))
    infeasible = finish(chain, before[0], torch.amax) == -inf
    return torch.stack(labels[::-1], 2).masked_fill(~chain.mask | infeasible.unsqueeze(1), 0)
