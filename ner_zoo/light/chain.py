"""
Operations of a linear chain in numpy: the same results as `ner_zoo.structures`, for exported models.

    reached[t, j] = scores[t, j] + max_i reached[t-1, i] + transitions[i, j]                     the best labelling
    before[t, j]  = local[t, j] * sum_i before[t-1, i] * steps[i, j] / scale[t]                  probabilities
    after[t, i]   = sum_j steps[i, j] * local[t+1, j] * after[t+1, j] / scale[t+1]

All sentences of a batch take a step at once; they are sorted by length, so that active ones come first. Sums are over
probabilities scaled to 1 at each position; a sentence whose scores differ so much that probabilities could vanish is
computed in log space (`chain_logarithms`).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy import ndarray

# Smaller values count as lost and become 0.
LOST = 1e-290
# The acceptable lost share of the sum over all labellings.
NEGLIGIBLE = 1e-11


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

    def at(self, chosen: ndarray) -> "Chunks":
        return Chunks(*(part[chosen] for part in self))


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


class Sums:
    """
    The sums over all labellings of each row.

    log_partition : `(batch,)`
    before, after, local : `(batch, positions, labels)`, and scale `(batch, positions)`; see above.
    is_lost : `(batch,)`, whether a row has to be computed in log space.
    """

    def __init__(self, scores: ndarray, lengths: ndarray, chain: Transitions) -> None:
        self.lengths = lengths
        largest = np.where(np.isfinite(chain.steps.max(0)), chain.steps.max(0), 0.0).astype(np.float64)
        self.steps = np.exp(chain.steps - largest)
        end = chain.end.astype(np.float64)
        self.end = np.exp(end - end.max())
        log_local = scores + largest
        log_local[:, 0] = scores[:, 0] + chain.start
        peak = log_local.max(2, keepdims=True)
        self.local = np.exp(log_local - peak)
        self.before, self.scale = np.zeros_like(self.local), np.ones(scores.shape[:2])
        inside = np.arange(scores.shape[1]) < lengths[:, None]
        peaks = np.where(inside, peak[:, :, 0], 0.0).sum(1)
        with np.errstate(all="ignore"):
            lost = self._forward(np.isfinite(log_local))
            final = self.before[np.arange(len(lengths)), lengths - 1] @ self.end
            self.log_partition = np.where(inside, np.log(self.scale), 0.0).sum(1) + peaks + np.log(final) + end.max()
            self.is_lost = ~((final > 0.0) & (lost < NEGLIGIBLE * np.minimum(final, 1.0)))
            self.after = self._backward(final)

    def _forward(self, is_legal: ndarray) -> ndarray:
        """Fills `before` and `scale`; returns a bound on the lost share of each row's sum: `(batch,)`."""
        lost = np.zeros(len(self.lengths))
        previous = np.ones((len(self.lengths), 1))
        for position in range(self.local.shape[1]):
            runs = self.lengths > position
            local = self.local[:, position]
            row = local * (previous @ self.steps if position else previous)
            share = row.sum(1)
            share_or_1 = np.where(runs, share, 1.0)
            # Earlier losses can have grown at most by the sum of the local weights.
            grown = lost * local.sum(1) / share_or_1 if position else lost
            least = LOST * np.maximum(share, 1.0)
            vanishes = np.where(is_legal[:, position], row, 1.0).min(1) < least
            grown += np.where(vanishes, least * row.shape[1] / share_or_1, 0.0)
            lost = np.where(runs, np.where(share > 0.0, grown, np.inf), lost)
            row = row / share_or_1[:, None]
            row[row < LOST] = 0.0
            self.before[:, position], self.scale[:, position] = np.where(runs[:, None], row, 0.0), share_or_1
            previous = row
        return lost

    def _backward(self, final: ndarray) -> ndarray:
        after = np.zeros_like(self.before)
        ending = self.end / final[:, None]
        onwards = np.zeros_like(ending)
        for position in range(self.local.shape[1] - 1, -1, -1):
            is_last = (self.lengths - 1 == position)[:, None]
            row = np.where(is_last, ending, onwards @ self.steps.T)
            row[self.before[:, position] == 0.0] = 0.0
            after[:, position] = row
            onwards = row * self.local[:, position] / self.scale[:, position, None]
        return after

    def chunk_probabilities(self, chunks: Chunks, rules: ChunkRules) -> ndarray:
        """The probability of each chunk, i.e. that exactly this chunk is in the labelling: `(chunks,)`."""
        with np.errstate(all="ignore"):  # from lost rows, which are not used
            return self._chunk_probabilities(chunks, rules)

    def _chunk_probabilities(self, chunks: Chunks, rules: ChunkRules) -> ndarray:
        row, first, last, kind = chunks
        of_kind = rules.kinds == kind[:, None]
        entered = self.before[row, np.maximum(first - 1, 0)] @ (self.steps * rules.starts[:-1])
        entered *= self.local[row, first] / self.scale[row, first][:, None]
        at_start = self.before[row, first] * rules.starts[-1]
        inside = np.where((first == 0)[:, None], at_start, entered) * of_kind
        going_on = self.steps * rules.continues
        for offset in range(1, int((last - first).max(initial=0))):
            some = np.flatnonzero(first + offset < last)
            at = row[some], first[some] + offset
            inside[some] = (inside[some] @ going_on) * (self.local[at] / self.scale[at][:, None])
        return (inside * self._leave(chunks, rules)).sum(1)

    def _leave(self, chunks: Chunks, rules: ChunkRules) -> ndarray:
        """The weight of all paths from each label of a chunk's last position that do not continue it."""
        row, last = chunks.row, chunks.last
        at_end = last == self.lengths[row]
        at = row, np.minimum(last, self.local.shape[1] - 1)
        onwards = self.local[at] * self.after[at] / self.scale[at][:, None]
        stopping = onwards @ (self.steps * ~rules.continues).T
        return np.where(at_end[:, None], self.after[row, last - 1], stopping)
