"""The best labelling, and the `n` best."""

from math import inf
from typing import Tuple

import torch
from torch import LongTensor, Tensor

from ner_zoo.structures.chain_torch.recursion import finish, forward, trace
from ner_zoo.structures.potentials import Potentials


def best(chain: Potentials) -> Tuple[LongTensor, Tensor]:
    chain = chain.legal()
    before = forward(chain, torch.amax)
    labels = trace(chain, before.unsqueeze(0), lambda position, weights: weights.argmax(-1))[0]
    return labels, finish(chain, before, torch.amax)


def n_best(chain: Potentials, n: int) -> Tuple[LongTensor, Tensor]:
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


def _top(ways: Tensor, n: int) -> Tuple[Tensor, LongTensor]:
    """The `n` best of the second dimension and where they are, for each of the third: `(batch, labels, n)`."""
    if ways.shape[1] < n:
        ways = torch.cat([ways, ways.new_full((ways.shape[0], n - ways.shape[1], ways.shape[2]), -inf)], 1)
    values, indices = ways.topk(n, 1)
    return values.transpose(1, 2), indices.transpose(1, 2)
