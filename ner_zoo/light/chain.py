"""
Operations of a linear chain in numpy: the same results as `ner_zoo.structures`, for exported models.

    reached[t, j] = scores[t, j] + max_i reached[t-1, i] + transitions[i, j]                     the best labelling

All sentences of a batch take a step at once; they are sorted by length, so that active ones come first. The sums over
all labellings are in `chain_sums`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy import ndarray


@dataclass(frozen=True)
class Transitions:
    """
    steps : `(labels, labels)`, the score of the transition from the first label to the second; -inf if it is illegal.
    start, end : `(labels,)`, the scores of starting and ending with a label.
    """

    steps: ndarray
    start: ndarray
    end: ndarray


class ChunkRules(NamedTuple):
    """
    starts : `(labels + 1, labels)`, where a transition starts a chunk; the last row is for the first position.
    continues : `(labels, labels)`, where a transition continues the chunk.
    kinds : `(labels,)`, the kind of chunk of each label, -1 for none.
    """

    starts: ndarray
    continues: ndarray
    kinds: ndarray


class Chunks(NamedTuple):
    """Each `(chunks,)`: the row, the half-open span of positions, the kind."""

    row: ndarray
    first: ndarray
    last: ndarray
    kind: ndarray


def chunks_of(labels: ndarray, lengths: ndarray, rules: ChunkRules) -> Chunks:
    """The chunks of every row of `(rows, positions)`, sorted by row and from left to right."""
    mask = np.arange(labels.shape[1]) < lengths[:, None]
    edge = np.full((len(labels), 1), len(rules.kinds))
    begins = rules.starts[np.concatenate([edge, labels[:, :-1]], 1), labels] & mask
    goes_on = np.zeros_like(begins)
    goes_on[:, :-1] = rules.continues[labels[:, :-1], labels[:, 1:]] & mask[:, 1:]
    ends = (rules.kinds[labels] >= 0) & mask & ~goes_on
    row, first = begins.nonzero()
    return Chunks(row, first, ends.nonzero()[1] + 1, rules.kinds[labels[row, first]])


def best(scores: ndarray, lengths: ndarray, chain: Transitions) -> ndarray:
    """
    The best labelling of each row of `(batch, positions, labels)`; ties are broken by the first label: `(batch,
    …)`
    """
    order = np.argsort(-lengths, kind="stable")
    counts = running(lengths)
    # Labels first, rows last: numpy is fast along the long dimension.
    local = np.ascontiguousarray(scores[order].transpose(1, 2, 0))  # (positions, labels, batch)
    steps = chain.steps[:, :, None]
    reached = [local[0] + chain.start[:, None]]
    for position, count in enumerate(counts[1:].tolist(), start=1):
        ways = reached[-1][:, None, :count] + steps
        reached.append(ways.max(0) + local[position][:, :count])
    found = np.zeros(scores.shape[:2], dtype=np.int64)
    labels = np.zeros(0, dtype=np.int64)
    for position in range(len(counts) - 1, -1, -1):
        # Some rows end here; the others come from the label chosen for the next position.
        onwards = np.repeat(chain.end[:, None], counts[position], 1)
        onwards[:, : len(labels)] = chain.steps[:, labels]
        labels = (reached[position] + onwards).argmax(0)
        found[order[: counts[position]], position] = labels
    return found


def running(lengths: ndarray) -> ndarray:
    """The number of rows that have each position: `(positions,)`, decreasing."""
    return (lengths[:, None] > np.arange(lengths.max(initial=0))).sum(0)
