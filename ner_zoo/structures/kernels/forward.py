"""
The sum over all labellings, in probabilities scaled to sum to 1 at each position:

    before[t, j] = local[t, j] * sum_i before[t-1, i] * steps[i, j] / scale[t]          log Z = sum_t log scale[t]

`local` and `steps` are exponentials relative to the maximum of their position and column, so each label needs one
exponential. Products of very unlikely events may still underflow. Therefore an upper bound on the lost share of Z is
tracked, and the sum of a sentence for which it is not negligible is NaN; the caller computes such sentences in log
space. This happens if scores differ by about 600.
"""

from math import log, nan

import numpy as np
from numba import njit
from numpy import ndarray

# Smaller values count as lost and become 0. Its inverse, the largest value of `after`, is still finite.
_LOST = 1e-290
# The acceptable lost share of Z.
_NEGLIGIBLE = 1e-11

# Sums may be reordered, but NaN must be preserved. Functions with such sums are inlined: see `lstm_kernels`.
_SUMS = {"contract", "reassoc", "nsz", "arcp"}


# Adding this to a number of moderate size leaves the nearest integer in the lowest bits.
_ROUNDER = 1.5 * 2.0**52
_LOG2_E = 1.4426950408889634
# ln 2 in two parts, the first short enough for its multiples by k to be exact.
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
# Below this the result is 0: the bits of the exponent would overflow.
_LOWEST = -708.0


# Not `inline="always"`, which would compile it with the caller's fastmath and optimise the rounding away.
@njit(fastmath={"contract"}, forceinline=True, cache=True, error_model="numpy")
def _exponential(x: float) -> float:
    """
    An exponential that the compiler can vectorise, four numbers at a time; the library's handles one at a time.

        exp(x) = 2^k exp(r),    k = round(x / ln 2),    r = x - k ln 2,    |r| <= ln 2 / 2

    with the power series of exp(r), accurate to the last bits, and 2^k written into the exponent's bits. For x up to
    slightly above 0, as in probabilities; -inf gives 0 and NaN gives NaN.
    """
    is_low = x < _LOWEST
    y = _LOWEST if is_low else x
    rounded = y * _LOG2_E + _ROUNDER
    k = rounded - _ROUNDER
    r = (y - k * _LN2_HIGH) - k * _LN2_LOW
    series = 1.0 / 479001600.0
    series = series * r + 1.0 / 39916800.0
    series = series * r + 1.0 / 3628800.0
    series = series * r + 1.0 / 362880.0
    series = series * r + 1.0 / 40320.0
    series = series * r + 1.0 / 5040.0
    series = series * r + 1.0 / 720.0
    series = series * r + 1.0 / 120.0
    series = series * r + 1.0 / 24.0
    series = series * r + 1.0 / 6.0
    series = series * r + 0.5
    series = series * r + 1.0
    series = series * r + 1.0
    power = np.int64((np.float64(rounded).view(np.int64) << 52) + (1023 << 52)).view(np.float64)
    return 0.0 if is_low else series * power


@njit(fastmath={"nnan", "nsz", "reassoc"}, cache=True, error_model="numpy")
def _largest(row: ndarray) -> float:
    largest = row[0]
    for j in range(1, row.shape[0]):
        largest = row[j] if row[j] > largest else largest
    return largest


@njit(fastmath={"nnan", "nsz", "reassoc"}, cache=True, error_model="numpy")
def _least_possible(row: ndarray, log_local: ndarray) -> float:
    """The minimum of the values that are not legitimately 0."""
    least = 1.0
    for j in range(row.shape[0]):
        value = row[j] if log_local[j] > -np.inf else 1.0
        least = value if value < least else least
    return least


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _exponentials(log_row: ndarray, row: ndarray) -> float:
    """Exponentials relative to the maximum, which is returned."""
    largest = _largest(log_row)
    for j in range(row.shape[0]):
        row[j] = _exponential(log_row[j] - largest)
    return largest


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _step_weights(transitions: ndarray, order: ndarray, runs: ndarray) -> tuple[ndarray, ndarray]:
    """The exponential of each legal transition relative to the maximum of its column, and the log of that maximum."""
    labels = order.shape[0]
    steps, largest = np.empty((labels, labels)), np.empty(labels)
    for i in range(labels):
        largest[i] = -np.inf
        for j in range(labels):
            steps[i, j] = -np.inf
    for run in range(runs.shape[0]):
        i = runs[run, 0]
        for j in range(runs[run, 1], runs[run, 2]):
            steps[i, j] = transitions[order[i], order[j]]
            largest[j] = max(largest[j], steps[i, j])
    for run in range(runs.shape[0]):
        i = runs[run, 0]
        for j in range(runs[run, 1], runs[run, 2]):
            steps[i, j] = _exponential(steps[i, j] - largest[j])
    for i in range(labels):
        for j in range(labels):
            steps[i, j] = max(steps[i, j], 0.0)
    return steps, largest


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _advance(before: ndarray, steps: ndarray, runs: ndarray, local: ndarray, arrived: ndarray) -> float:
    """arrived[j] = local[j] * sum_i before[i] * steps[i, j], and its sum."""
    for j in range(arrived.shape[0]):
        arrived[j] = 0.0
    for run in range(runs.shape[0]):
        i = runs[run, 0]
        weight = before[i]
        for j in range(runs[run, 1], runs[run, 2]):
            arrived[j] += weight * steps[i, j]
    total = 0.0
    for j in range(arrived.shape[0]):
        arrived[j] *= local[j]
        total += arrived[j]
    return total


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _sum(row: ndarray) -> float:
    total = 0.0
    for j in range(row.shape[0]):
        total += row[j]
    return total


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _scale(row: ndarray, total: float) -> None:
    """Divides by the total, and drops negligible values."""
    factor = 1.0 / total
    for j in range(row.shape[0]):
        value = row[j] * factor
        row[j] = 0.0 if value < _LOST else value


@njit(fastmath=_SUMS, forceinline=True, cache=True, error_model="numpy")
def _forward_sentence(
    scores: ndarray,
    start: ndarray,
    steps: ndarray,
    largest_step: ndarray,
    end: ndarray,
    order: ndarray,
    runs: ndarray,
    local: ndarray,
    before: ndarray,
    scale: ndarray,
) -> float:
    """Fills the rows of one sentence (`end` is already exponentiated) and returns the log of its sum."""
    labels = order.shape[0]
    log_local = np.empty(labels)
    total = 0.0
    lost = 0.0
    for t in range(local.shape[0]):
        row = before[t]
        for j in range(labels):
            log_local[j] = scores[t, order[j]] + (start[j] if t == 0 else largest_step[j])
        total += _exponentials(log_local, local[t])
        if t == 0:
            for j in range(labels):
                row[j] = local[t, j]
            share = _sum(row)
        else:
            share = _advance(before[t - 1], steps, runs, local[t], row)
        # Earlier losses can have grown at most by the sum of the local weights, because steps are at most 1.
        if lost > 0.0:
            lost *= _sum(local[t]) / share
        least = _LOST * max(share, 1.0)
        if not _least_possible(row, log_local) >= least:
            lost += least * labels / share
        if not (share > 0.0 and lost < _NEGLIGIBLE):
            return nan
        scale[t] = share
        total += log(share)
        _scale(row, share)
    last = 0.0
    for j in range(labels):
        last += before[local.shape[0] - 1, j] * end[j]
    return total + log(last) if last > 0.0 and lost < _NEGLIGIBLE * last else nan


@njit(cache=True, error_model="numpy")
def forward_sums(
    scores: ndarray,
    transitions: ndarray,
    start: ndarray,
    end: ndarray,
    lengths: ndarray,
    order: ndarray,
    runs: ndarray,
    penalties: ndarray,
) -> tuple[ndarray, ndarray, ndarray, ndarray, ndarray, ndarray]:
    """
    Returns log Z `(batch,)`, NaN where log space is needed, and the inputs of `backward_sums`: local, before `(rows,
    labels)`, scale `(rows,)`, steps `(labels, labels)` and the end's weights `(labels,)`.
    """
    labels = order.shape[0]
    steps, largest_step = _step_weights(transitions, order, runs)
    start_scores = np.empty(labels)
    end_scores = np.empty(labels)
    for j in range(labels):
        start_scores[j] = start[order[j]] + penalties[0, j]
        end_scores[j] = end[order[j]] + penalties[1, j]
    end_weights = np.empty(labels)
    largest_end = _exponentials(end_scores, end_weights)
    rows = 0
    for sentence in range(lengths.shape[0]):
        rows += lengths[sentence]
    local, before, scale = np.empty((rows, labels)), np.empty((rows, labels)), np.empty(rows)
    totals = np.zeros(lengths.shape[0])
    row = 0
    for sentence in range(lengths.shape[0]):
        last = row + lengths[sentence]
        if last > row:
            totals[sentence] = largest_end + _forward_sentence(
                scores[sentence],
                start_scores,
                steps,
                largest_step,
                end_weights,
                order,
                runs,
                local[row:last],
                before[row:last],
                scale[row:last],
            )
        row = last
    return totals, local, before, scale, steps, end_weights
