"""
Samples labellings: the last label by its marginal, and each previous one by its share of the paths to the next.

    p(y_t = i | y_t+1 = j) = before[t, i] * steps[i, j] / sum_i ...
"""

import numpy as np
from numba import njit
from numpy import ndarray


@njit(cache=True, error_model="numpy")
def _inverse(order: ndarray) -> ndarray:
    """The position of each label in the order."""
    place = np.empty(order.shape[0], dtype=np.int64)
    for j in range(order.shape[0]):
        place[order[j]] = j
    return place


@njit(cache=True, error_model="numpy")
def _choose(before: ndarray, onwards: ndarray, place: ndarray, uniform: float) -> int:
    """The first label at which the cumulative weight exceeds the given share of the total."""
    total = 0.0
    for label in range(place.shape[0]):
        total += before[place[label]] * onwards[place[label]]
    threshold = uniform * total
    total = 0.0
    for label in range(place.shape[0]):
        total += before[place[label]] * onwards[place[label]]
        if total > threshold:
            return label
    return 0


@njit(cache=True, error_model="numpy")
def draw(
    uniform: ndarray,
    lengths: ndarray,
    order: ndarray,
    totals: ndarray,
    before: ndarray,
    steps: ndarray,
    end: ndarray,
) -> ndarray:
    """`(n, batch, positions)` from as many numbers in [0, 1); 0 for sentences whose total is NaN."""
    found = np.zeros(uniform.shape, dtype=np.int64)
    place = _inverse(order)
    into = np.ascontiguousarray(steps.T)
    for sample in range(uniform.shape[0]):
        row = 0
        for sentence in range(lengths.shape[0]):
            if not np.isnan(totals[sentence]):
                onwards = end
                for t in range(lengths[sentence] - 1, -1, -1):
                    label = _choose(before[row + t], onwards, place, uniform[sample, sentence, t])
                    found[sample, sentence, t] = label
                    onwards = into[place[label]]
            row += lengths[sentence]
    return found
