"""The score of a given labelling and its gradient."""

import numpy as np
from numba import njit
from numpy import ndarray


@njit(cache=True, error_model="numpy")
def lengths_of(mask: ndarray) -> tuple[ndarray, int]:
    """The number of positions of each sentence, and the last sentence whose mask has a gap, or -1."""
    lengths = np.zeros(mask.shape[0], dtype=np.int64)
    wrong = -1
    for sentence in range(mask.shape[0]):
        for position in range(mask.shape[1]):
            if mask[sentence, position]:
                wrong = sentence if lengths[sentence] < position else wrong
                lengths[sentence] += 1
    return lengths, wrong


@njit(cache=True, error_model="numpy")
def labelling_score(
    scores: ndarray, transitions: ndarray, start: ndarray, end: ndarray, labels: ndarray, lengths: ndarray
) -> tuple[ndarray, bool]:
    """The scores `(batch,)`, and whether any number is not a label."""
    totals = np.zeros(lengths.shape[0])
    is_wrong = False
    for sentence in range(lengths.shape[0]):
        total = 0.0
        last = -1
        for position in range(lengths[sentence]):
            label = labels[sentence, position]
            if label < 0 or label >= scores.shape[2]:
                is_wrong = True
                break
            total += scores[sentence, position, label]
            total += start[label] if position == 0 else transitions[last, label]
            last = label
        totals[sentence] = total + end[last] if last >= 0 else 0.0
    return totals, is_wrong


@njit(cache=True, error_model="numpy")
def labelling_gradient(
    weights: ndarray,
    labels: ndarray,
    lengths: ndarray,
    scores: ndarray,
    transitions: ndarray,
    start: ndarray,
    end: ndarray,
) -> None:
    """Adds each sentence's weight to the gradient of the labelling's scores."""
    for sentence in range(lengths.shape[0]):
        weight = weights[sentence]
        for position in range(lengths[sentence]):
            label = labels[sentence, position]
            scores[sentence, position, label] += weight
            if position == 0:
                start[label] += weight
            else:
                transitions[labels[sentence, position - 1], label] += weight
        if lengths[sentence] > 0:
            end[labels[sentence, lengths[sentence] - 1]] += weight
