"""
The `n` best labellings of each sentence of a batch: Viterbi with the `n` best paths to each label.
"""

import numpy as np
from numpy import ndarray

from ner_zoo.light.chain import Transitions


def n_best(scores: ndarray, lengths: ndarray, chain: Transitions, n: int) -> tuple[ndarray, ndarray]:
    """`(n, batch, positions)`, best first, and their scores `(n, batch)`: -inf if a sentence has no more."""
    batch, positions, labels = scores.shape
    before = np.full((batch, labels, n), -np.inf, dtype=scores.dtype)
    before[:, :, 0] = scores[:, 0] + chain.start
    stay = np.broadcast_to(np.arange(labels * n).reshape(labels, n), before.shape)
    steps = np.repeat(chain.steps, n, 0)
    came_from = []
    for position in range(1, positions):
        arrived, origin = _top(before.reshape(batch, labels * n, 1) + steps, n)
        is_present = (lengths > position)[:, None, None]
        before = np.where(is_present, arrived + scores[:, position, :, None], before)
        came_from.append(np.where(is_present, origin, stay))
    totals, cell = (part[:, 0] for part in _top((before + chain.end[:, None]).reshape(batch, labels * n, 1), n))
    found = np.empty((positions, batch, n), dtype=np.int64)
    for position in range(positions - 1, -1, -1):
        found[position] = cell // n
        if position:
            cell = np.take_along_axis(came_from[position - 1].reshape(batch, labels * n), cell, 1)
    return found.transpose(2, 1, 0), totals.T


def _top(ways: ndarray, n: int) -> tuple[ndarray, ndarray]:
    """The `n` best of the second dimension and their indices, for each of the third: `(batch, labels, n)`."""
    where = np.argsort(-ways, 1, kind="stable")[:, :n]
    return np.take_along_axis(ways, where, 1).transpose(0, 2, 1), where.transpose(0, 2, 1)
