"""
The probabilities of many chunks, from the scaled sums of their sentences; see `ner_zoo.structures.chunks`.
"""

import numpy as np
from numba import njit
from numpy import ndarray


@njit(cache=True, error_model="numpy")
def _inside(
    first: int,
    last: int,
    row: int,
    kind: int,
    tables: tuple[ndarray, ndarray, ndarray],
    order: ndarray,
    local: ndarray,
    before: ndarray,
    scale: ndarray,
    steps: ndarray,
) -> ndarray:
    """The share of paths to each label of the chunk's last position that start and continue it correctly."""
    starts, continues, kind_of_label = tables
    labels = order.shape[0]
    inside, moved = np.zeros(labels), np.empty(labels)
    for c in range(labels):
        if kind_of_label[order[c]] != kind:
            continue
        if first == 0:
            inside[c] = before[row, c] if starts[labels, order[c]] else 0.0
            continue
        for p in range(labels):
            if starts[order[p], order[c]]:
                inside[c] += before[row + first - 1, p] * steps[p, c]
        inside[c] *= local[row + first, c] / scale[row + first]
    for t in range(first + 1, last):
        moved[:] = 0.0
        for p in range(labels):
            if inside[p] > 0.0:
                for c in range(labels):
                    if continues[order[p], order[c]]:
                        moved[c] += inside[p] * steps[p, c]
        for c in range(labels):
            inside[c] = moved[c] * local[row + t, c] / scale[row + t]
    return inside


@njit(cache=True, error_model="numpy")
def chunk_probabilities(
    chunks: ndarray,
    starts: ndarray,
    continues: ndarray,
    kind_of_label: ndarray,
    lengths: ndarray,
    order: ndarray,
    totals: ndarray,
    local: ndarray,
    before: ndarray,
    after: ndarray,
    scale: ndarray,
    steps: ndarray,
) -> ndarray:
    """chunks : `(chunks, 4)`, sentence, first, last and kind. 0 in sentences whose total is NaN."""
    offsets = np.cumsum(lengths) - lengths
    labels = order.shape[0]
    probabilities = np.zeros(chunks.shape[0])
    tables = (starts, continues, kind_of_label)
    for chunk in range(chunks.shape[0]):
        sentence, first, last, kind = chunks[chunk]
        row = offsets[sentence]
        if np.isnan(totals[sentence]):
            continue
        inside = _inside(first, last, row, kind, tables, order, local, before, scale, steps)
        total = 0.0
        for p in range(labels):
            if inside[p] == 0.0:
                continue
            if last == lengths[sentence]:
                total += inside[p] * after[row + last - 1, p]
                continue
            onwards = 0.0
            for c in range(labels):
                if not continues[order[p], order[c]]:
                    onwards += steps[p, c] * local[row + last, c] * after[row + last, c]
            total += inside[p] * onwards / scale[row + last]
        probabilities[chunk] = total
    return probabilities
