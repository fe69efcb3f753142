"""
The entropy of a chain in one pass, from the sums of the forward loop (Hernando et al., 2005):

    p(i | j)  = before[t-1, i] * steps[i, j] / sum_i' before[t-1, i'] * steps[i', j]
    H[t, j]   = sum_i p(i | j) * (H[t-1, i] - log p(i | j))          H = the same for the end instead of a label j

H[t, j] is the entropy of all labels before t given label j there. Every term is nonnegative, so there is no
cancellation, unlike in log Z minus the expected score.
"""

from math import log

import numpy as np
from numba import njit
from numpy import ndarray

# Sums may be reordered, but NaN must be preserved. Functions with such sums are inlined: see `lstm_kernels`.
_SUMS = {"contract", "reassoc", "nsz", "arcp"}


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _information(before: ndarray, entropy: ndarray, cost: ndarray) -> None:
    """cost[i] = H[i] - log before[i]; 0 for impossible labels."""
    for i in range(before.shape[0]):
        cost[i] = entropy[i] - log(before[i]) if before[i] > 0.0 else 0.0


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _advance(
    before: ndarray, cost: ndarray, steps: ndarray, log_steps: ndarray, runs: ndarray, weight: ndarray, entropy: ndarray
) -> None:
    """The entropies of the next position; -sum p log p is the log of the sum of weights minus the mean log weight."""
    for j in range(entropy.shape[0]):
        weight[j] = 0.0
        entropy[j] = 0.0
    for run in range(runs.shape[0]):
        i = runs[run, 0]
        if before[i] == 0.0:
            continue
        for j in range(runs[run, 1], runs[run, 2]):
            share = before[i] * steps[i, j]
            weight[j] += share
            entropy[j] += share * (cost[i] - log_steps[i, j])
    for j in range(entropy.shape[0]):
        if weight[j] > 0.0:
            entropy[j] = entropy[j] / weight[j] + log(weight[j])


@njit(cache=True, error_model="numpy")
def chain_entropy(
    lengths: ndarray,
    runs: ndarray,
    totals: ndarray,
    before: ndarray,
    steps: ndarray,
    end: ndarray,
) -> ndarray:
    """`(batch,)`, in nats; NaN where the total is NaN."""
    labels = before.shape[1]
    log_steps = np.zeros((labels, labels))
    for i in range(labels):
        for j in range(labels):
            log_steps[i, j] = log(steps[i, j]) if steps[i, j] > 0.0 else 0.0
    cost, weight, entropy = np.empty(labels), np.empty(labels), np.empty(labels)
    found = np.zeros(lengths.shape[0])
    row = 0
    for sentence in range(lengths.shape[0]):
        first, row = row, row + lengths[sentence]
        if first == row:
            continue
        if np.isnan(totals[sentence]):
            found[sentence] = np.nan
            continue
        entropy[:] = 0.0
        for t in range(first, row - 1):
            _information(before[t], entropy, cost)
            _advance(before[t], cost, steps, log_steps, runs, weight, entropy)
        _information(before[row - 1], entropy, cost)
        total = 0.0
        expected = 0.0
        for i in range(labels):
            share = before[row - 1, i] * end[i]
            if share > 0.0:
                total += share
                expected += share * (cost[i] - log(end[i]))
        found[sentence] = max(expected / total + log(total), 0.0)
    return found
