"""
The recursion of a linear chain, once forwards and once backwards:

    forward[t, j]  = scores[t, j] + reduce_i (forward[t-1, i] + transitions[i, j])
    backward[t, i] = reduce_j (transitions[i, j] + scores[t+1, j] + backward[t+1, j])

With `reduce` a log-sum-exp they sum over labellings, with `reduce` a maximum they look for the best one. A labelling is
read off `forward` from the last position to the first, by the best label or by a random one.
"""

from math import inf
from typing import Callable, List

import torch
from torch import LongTensor, Tensor

from ner_zoo.structures.potentials import Potentials

Reduce = Callable[[Tensor, int], Tensor]


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


def finish(chain: Potentials, before: Tensor, reduce: Reduce) -> Tensor:
    """What `forward` comes to at each sentence's end: `(batch,)`."""
    if before.shape[1] == 0:
        return before.sum((1, 2))
    return reduce(before[:, -1] + chain.end, 1).masked_fill(~chain.mask.any(1), 0.0)


def trace(chain: Potentials, before: Tensor, pick: Callable[[int, Tensor], LongTensor]) -> LongTensor:
    """One labelling per row of `before (n, batch, positions, labels)`, picked from the last position to the first."""
    n, batch, positions, _ = before.shape
    if positions == 0:
        return before.new_zeros(n, batch, 0, dtype=torch.long)
    beyond = torch.cat([chain.mask[:, 1:], torch.zeros_like(chain.mask[:, :1])], 1)
    onwards = chain.end.expand(n, batch, -1)
    labels: List[LongTensor] = []
    for position in range(positions - 1, -1, -1):
        if labels:
            onwards = torch.where(beyond[:, position, None], chain.transitions.t()[labels[-1]], chain.end)
        labels.append(pick(position, before[:, :, position] + onwards))
    infeasible = finish(chain, before[0], torch.amax) == -inf
    return torch.stack(labels[::-1], 2).masked_fill(~chain.mask | infeasible.unsqueeze(1), 0)
