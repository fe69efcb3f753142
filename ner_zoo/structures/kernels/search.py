"""
The best labellings: Viterbi, which keeps the score of the best path to each label and traces the path backwards.

    reached[t, j] = scores[t, j] + max_i reached[t-1, i] + transitions[i, j]

Without back-pointers the inner loop is a plain vectorised maximum; the backward trace searches for the predecessor
again, for one label per position.
"""

import numpy as np
from numba import njit
from numpy import ndarray


@njit(cache=True, error_model="numpy")
def _reorder_transitions(transitions: ndarray, order: ndarray, runs: ndarray) -> ndarray:
    steps = np.empty(transitions.shape, dtype=transitions.dtype)
    for i in range(steps.shape[0]):
        for j in range(steps.shape[1]):
            steps[i, j] = -np.inf
    for run in range(runs.shape[0]):
        i = runs[run, 0]
        for j in range(runs[run, 1], runs[run, 2]):
            steps[i, j] = transitions[order[i], order[j]]
    return steps


@njit(cache=True, error_model="numpy")
def _inverse(order: ndarray) -> ndarray:
    """The position of each label in the order."""
    place = np.empty(order.shape[0], dtype=np.int64)
    for j in range(order.shape[0]):
        place[order[j]] = j
    return place


@njit(cache=True, error_model="numpy")
def _transposed(steps: ndarray) -> ndarray:
    into = np.empty((steps.shape[1], steps.shape[0]), dtype=steps.dtype)
    for i in range(steps.shape[0]):
        for j in range(steps.shape[1]):
            into[j, i] = steps[i, j]
    return into


@njit(cache=True, error_model="numpy")
def _with_penalties(scores: ndarray, penalties: ndarray, place: ndarray) -> ndarray:
    """The scores of starting or ending with each label. The penalties are in the order of the runs."""
    total = np.empty(scores.shape[0], dtype=scores.dtype)
    for label in range(scores.shape[0]):
        total[label] = scores[label] + scores.dtype.type(penalties[place[label]])
    return total


@njit(cache=True, error_model="numpy")
def _arrive(here: ndarray, steps: ndarray, runs: ndarray, zero: float, arrived: ndarray) -> None:
    """
    arrived[j] = max_i here[i] + steps[i, j]

    zero : 0, unknown to the compiler. Without this addition it would store only changed values, label by label, and
        take three times as long.
    """
    for j in range(arrived.shape[0]):
        arrived[j] = -np.inf
    for run in range(runs.shape[0]):
        i = runs[run, 0]
        score = here[i]
        for j in range(runs[run, 1], runs[run, 2]):
            way = score + steps[i, j]
            arrived[j] = (way if way > arrived[j] else arrived[j]) + zero


@njit(cache=True, error_model="numpy")
def _reach(
    scores: ndarray, start: ndarray, steps: ndarray, order: ndarray, runs: ndarray, zero: float, reached: ndarray
) -> None:
    for j in range(order.shape[0]):
        reached[0, j] = scores[0, order[j]] + start[order[j]]
    for t in range(1, reached.shape[0]):
        _arrive(reached[t - 1], steps, runs, zero, reached[t])
        for j in range(order.shape[0]):
            reached[t, j] += scores[t, order[j]]


@njit(cache=True, error_model="numpy")
def best_labelling(
    scores: ndarray,
    transitions: ndarray,
    start: ndarray,
    end: ndarray,
    lengths: ndarray,
    order: ndarray,
    runs: ndarray,
    penalties: ndarray,
    zero: int,
) -> tuple[ndarray, ndarray]:
    """`(batch, positions)` and its scores `(batch,)`. Ties are broken by the first label. `zero` : see above."""
    labels = order.shape[0]
    steps = _reorder_transitions(transitions, order, runs)
    into = _transposed(steps)
    place = _inverse(order)
    start = _with_penalties(start, penalties[0], place)
    end = _with_penalties(end, penalties[1], place)
    found = np.zeros(scores.shape[:2], dtype=np.int64)
    totals = np.zeros(scores.shape[0], dtype=scores.dtype)
    reached = np.empty((scores.shape[1], labels), dtype=scores.dtype)
    for sentence in range(lengths.shape[0]):
        length = lengths[sentence]
        if length == 0:
            continue
        _reach(scores[sentence], start, steps, order, runs, scores.dtype.type(zero), reached[:length])
        best, label = scores.dtype.type(-np.inf), -1
        for candidate in range(labels):
            total = reached[length - 1, place[candidate]] + end[candidate]
            if total > best:
                best, label = total, candidate
        totals[sentence] = best
        for t in range(length - 1, -1, -1):
            if label < 0:
                break
            found[sentence, t] = label
            if t > 0:
                label = _predecessor(reached[t - 1], into[place[label]], place)
    return found, totals


@njit(cache=True, error_model="numpy")
def _predecessor(reached: ndarray, into: ndarray, place: ndarray) -> int:
    best, label = -np.inf, -1
    for candidate in range(place.shape[0]):
        total = reached[place[candidate]] + into[place[candidate]]
        if total > best:
            best, label = total, candidate
    return label


@njit(cache=True, error_model="numpy")
def _insert(values: ndarray, origins: ndarray, value: float, origin: int) -> None:
    """Inserts a value that is better than the last of a sorted list."""
    at = values.shape[0] - 1
    while at > 0 and values[at - 1] < value:
        values[at] = values[at - 1]
        origins[at] = origins[at - 1]
        at -= 1
    values[at] = value
    origins[at] = origin


@njit(cache=True, error_model="numpy")
def n_best_labellings(
    scores: ndarray,
    transitions: ndarray,
    start: ndarray,
    end: ndarray,
    lengths: ndarray,
    order: ndarray,
    runs: ndarray,
    penalties: ndarray,
    n: int,
) -> tuple[ndarray, ndarray]:
    """`(n, batch, positions)`, best first, and their scores `(n, batch)`, -inf if there are no more."""
    batch, positions, labels = scores.shape
    place = _inverse(order)
    start = _with_penalties(start, penalties[0], place)
    end = _with_penalties(end, penalties[1], place)
    found = np.zeros((n, batch, positions), dtype=np.int64)
    totals = np.full((n, batch), -np.inf, dtype=scores.dtype)
    reached = np.empty((positions, labels, n), dtype=scores.dtype)
    origins = np.zeros((positions, labels, n), dtype=np.int64)
    final, final_origins = np.empty(n, dtype=scores.dtype), np.empty(n, dtype=np.int64)
    for sentence in range(batch):
        length = lengths[sentence]
        if length == 0:
            totals[0, sentence] = 0.0
            continue
        _reach_n(scores[sentence], transitions, start, order, runs, reached[:length], origins)
        final[:] = -np.inf
        for label in range(labels):
            for rank in range(n):
                total = reached[length - 1, label, rank] + end[label]
                if not total > final[n - 1]:
                    break
                _insert(final, final_origins, total, label * n + rank)
        totals[:, sentence] = final
        for way in range(n):
            if final[way] > -np.inf:
                cell = final_origins[way]
                for t in range(length - 1, -1, -1):
                    found[way, sentence, t] = cell // n
                    cell = origins[t, cell // n, cell % n]
    return found, totals


@njit(cache=True, error_model="numpy")
def _reach_n(
    scores: ndarray,
    transitions: ndarray,
    start: ndarray,
    order: ndarray,
    runs: ndarray,
    reached: ndarray,
    origins: ndarray,
) -> None:
    """The `n` best paths to each label, in the original label order, and the path of the label each comes from."""
    n = reached.shape[2]
    reached[:] = -np.inf
    for label in range(order.shape[0]):
        reached[0, label, 0] = scores[0, label] + start[label]
    for t in range(1, reached.shape[0]):
        for run in range(runs.shape[0]):
            here = order[runs[run, 0]]
            for j in range(runs[run, 1], runs[run, 2]):
                label = order[j]
                for rank in range(n):
                    way = reached[t - 1, here, rank] + transitions[here, label]
                    if not way > reached[t, label, n - 1]:
                        break
                    _insert(reached[t, label], origins[t, label], way, here * n + rank)
        for label in range(order.shape[0]):
            for rank in range(n):
                reached[t, label, rank] += scores[t, label]
