"""
Sums over all labellings of a chain, in log space: exact for any scores.

    before[t, j] = scores[t, j] + log sum_i exp(before[t-1, i] + transitions[i, j])
    after[t, i]  = log sum_j exp(transitions[i, j] + scores[t+1, j] + after[t+1, j])
"""

import numpy as np
from numpy import ndarray

from ner_zoo.light.chain import ChunkRules, Chunks, Transitions

# A smaller sum may have lost its terms to underflow.
LOST = 1e-290


class LogMatrix:
    """
    Multiplies vectors by a matrix, both in log space. The product of their exponentials is fast; sums that differ from
    the largest one by hundreds would vanish in it, and are computed again term by term.
    """

    def __init__(self, logs: ndarray) -> None:
        self.logs = logs
        self.peak = _peak(logs, 0)
        self.weights = np.exp(logs - self.peak)

    def __call__(self, rows: ndarray) -> ndarray:
        peak = _peak(rows, 1)
        sums = np.exp(rows - peak) @ self.weights
        found = np.log(sums) + peak + self.peak
        is_lost = sums < LOST
        if is_lost.any():
            row, column = (is_lost & (np.isfinite(rows) @ np.isfinite(self.logs))).nonzero()
            found[row, column] = log_sum_exp(rows[row] + self.logs.T[column], 1)
        return found


def log_sum_exp(scores: ndarray, axis: int) -> ndarray:
    peak = _peak(scores, axis)
    return np.log(np.exp(scores - peak).sum(axis)) + peak.squeeze(axis)


def _peak(scores: ndarray, axis: int) -> ndarray:
    peak = scores.max(axis, keepdims=True)
    return np.where(np.isfinite(peak), peak, 0.0)


class Sums:
    """
    log_partition : `(batch,)`
    before, after : `(batch, positions, labels)`, see above.
    """

    @np.errstate(divide="ignore")
    def __init__(self, scores: ndarray, lengths: ndarray, chain: Transitions) -> None:
        self.scores, self.lengths = scores.astype(np.float64), lengths
        self.steps, self.start, self.end = (part.astype(np.float64) for part in (chain.steps, chain.start, chain.end))
        self.before, self.after = self._forward(), self._backward()
        final = self.before[np.arange(len(lengths)), lengths - 1] + self.end
        self.log_partition = log_sum_exp(final, 1)

    def _forward(self) -> ndarray:
        arriving = LogMatrix(self.steps)
        rows = [self.scores[:, 0] + self.start]
        for position in range(1, self.scores.shape[1]):
            rows.append(arriving(rows[-1]) + self.scores[:, position])
        return np.stack(rows, 1)

    def _backward(self) -> ndarray:
        leaving = LogMatrix(self.steps.T)
        after = np.empty_like(self.scores)
        onwards = self.end
        for position in range(self.scores.shape[1] - 1, -1, -1):
            after[:, position] = np.where((self.lengths - 1 <= position)[:, None], self.end, onwards)
            onwards = leaving(after[:, position] + self.scores[:, position])
        return after

    @np.errstate(divide="ignore")
    def chunk_probabilities(self, chunks: Chunks, rules: ChunkRules) -> ndarray:
        """The probability of each chunk, i.e. that exactly this chunk is in the labelling: `(chunks,)`."""
        row, first, last, kind = chunks
        starting = LogMatrix(np.where(rules.starts[:-1], self.steps, -np.inf))
        within = starting(self.before[row, np.maximum(first - 1, 0)])
        at_start = np.where(rules.starts[-1], self.start, -np.inf)
        inside = np.where((first == 0)[:, None], at_start, within) + self.scores[row, first]
        inside = np.where(rules.kinds == kind[:, None], inside, -np.inf)
        going_on = LogMatrix(np.where(rules.continues, self.steps, -np.inf))
        for offset in range(1, int((last - first).max(initial=0))):
            some = np.flatnonzero(first + offset < last)
            inside[some] = going_on(inside[some]) + self.scores[row[some], first[some] + offset]
        at = row, np.minimum(last, self.scores.shape[1] - 1)
        stopping = LogMatrix(np.where(rules.continues, -np.inf, self.steps).T)
        leaving = np.where((last == self.lengths[row])[:, None], self.end, stopping(self.scores[at] + self.after[at]))
        total = self.log_partition[row]
        return np.exp(log_sum_exp(inside + leaving, 1) - np.where(np.isfinite(total), total, 0.0))
