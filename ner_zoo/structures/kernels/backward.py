"""
The gradient of the sum over all labellings: expected counts of labels and transitions.

    after[t, i]    = sum_j steps[i, j] * local[t+1, j] * after[t+1, j] / scale[t+1]
    p(y_t = i)     = before[t, i] * after[t, i]
    p(y_t = i, y_t+1 = j) = before[t, i] * steps[i, j] * local[t+1, j] * after[t+1, j] / scale[t+1]
"""

import numpy as np
from numba import njit
from numpy import ndarray

# Sums may be reordered, but NaN must be preserved. Functions with such sums are inlined: see `lstm_kernels`.
_SUMS = {"contract", "reassoc", "nsz", "arcp"}


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _retreat(
    weight: float,
    before: ndarray,
    onwards: ndarray,
    steps: ndarray,
    runs: ndarray,
    after: ndarray,
    counts: ndarray,
) -> None:
    """
    after[i] = sum_j steps[i, j] * onwards[j], and the weighted counts of each transition except a factor steps[i,
    j].
    """
    for j in range(after.shape[0]):
        after[j] = 0.0
    for run in range(runs.shape[0]):
        i, first, last = runs[run, 0], runs[run, 1], runs[run, 2]
        # No path goes through here, and without this `after` could overflow.
        if before[i] == 0.0:
            continue
        share = weight * before[i]
        total = 0.0
        for j in range(first, last):
            total += steps[i, j] * onwards[j]
            counts[i, j] += share * onwards[j]
        after[i] += total


@njit(fastmath=_SUMS, cache=True, error_model="numpy")
def backward_sums(
    weights: ndarray,
    lengths: ndarray,
    runs: ndarray,
    totals: ndarray,
    local: ndarray,
    before: ndarray,
    scale: ndarray,
    steps: ndarray,
    end: ndarray,
) -> tuple[ndarray, ndarray]:
    """
    Computes after `(rows, labels)`, where before * after are the marginals, and the expected count of each transition
    `(labels, labels)`, weighted by sentence `(batch,)`. Sentences whose total is NaN are skipped.
    """
    labels = local.shape[1]
    after = np.zeros(before.shape)
    counts = np.zeros((labels, labels))
    onwards = np.empty(labels)
    row = 0
    for sentence in range(lengths.shape[0]):
        first, row = row, row + lengths[sentence]
        if first == row or np.isnan(totals[sentence]):
            continue
        last = 1.0 / (before[row - 1] * end).sum()
        for j in range(labels):
            after[row - 1, j] = end[j] * last if before[row - 1, j] > 0.0 else 0.0
        for t in range(row - 1, first, -1):
            factor = 1.0 / scale[t]
            for j in range(labels):
                onwards[j] = local[t, j] * after[t, j] * factor
            _retreat(weights[sentence], before[t - 1], onwards, steps, runs, after[t - 1], counts)
    for i in range(labels):
        for j in range(labels):
            counts[i, j] *= steps[i, j]
    return after, counts


@njit(cache=True, error_model="numpy")
def spread(
    weights: ndarray,
    lengths: ndarray,
    order: ndarray,
    totals: ndarray,
    before: ndarray,
    after: ndarray,
    counts: ndarray,
    marginals: ndarray,
    transitions: ndarray,
    start: ndarray,
    end: ndarray,
) -> None:
    """
    Writes the marginals, weighted by sentence, and the transition counts in the original label order, and sums the
    marginals of first and last positions. They are 0 for sentences whose total is NaN.
    """
    row = 0
    labels = order.shape[0]
    for sentence in range(lengths.shape[0]):
        length, weight = lengths[sentence], weights[sentence]
        done = 0 if np.isnan(totals[sentence]) else length
        for t in range(done):
            for j in range(labels):
                marginals[sentence, t, order[j]] = weight * before[row + t, j] * after[row + t, j]
        for t in range(done, marginals.shape[1]):
            for j in range(labels):
                marginals[sentence, t, j] = 0.0
        row += length
        if length > 0:
            for j in range(labels):
                start[j] += marginals[sentence, 0, j]
                end[j] += marginals[sentence, length - 1, j]
    for i in range(labels):
        for j in range(labels):
            transitions[order[i], order[j]] = counts[i, j]
