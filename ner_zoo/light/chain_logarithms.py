"""
Sums over the labellings of a chain in log space: slow but always exact, for scores that differ by hundreds.
"""

import numpy as np
from numpy import ndarray

from ner_zoo.light.chain import ChunkRules, Chunks, Transitions


def log_sum_exp(scores: ndarray, axis: int) -> ndarray:
    peak = scores.max(axis, keepdims=True)
    peak = np.where(np.isfinite(peak), peak, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(scores - peak).sum(axis)) + peak.squeeze(axis)


class LogSums:
    """Like `chain.Sums`: `before` and `after` are the log-sums of the scores of all paths to and from a label."""

    def __init__(self, scores: ndarray, lengths: ndarray, chain: Transitions) -> None:
        self.scores, self.lengths = scores.astype(np.float64), lengths
        self.steps, self.start, self.end = (part.astype(np.float64) for part in (chain.steps, chain.start, chain.end))
        self.before, self.after = self._forward(), self._backward()
        final = self.before[np.arange(len(lengths)), lengths - 1] + self.end
        self.log_partition = log_sum_exp(final, 1)

    def _forward(self) -> ndarray:
        rows = [self.scores[:, 0] + self.start]
        for position in range(1, self.scores.shape[1]):
            rows.append(log_sum_exp(rows[-1][:, :, None] + self.steps, 1) + self.scores[:, position])
        return np.stack(rows, 1)

    def _backward(self) -> ndarray:
        after = np.empty_like(self.scores)
        onwards = np.broadcast_to(self.end, self.scores[:, 0].shape)
        for position in range(self.scores.shape[1] - 1, -1, -1):
            after[:, position] = np.where((self.lengths - 1 <= position)[:, None], self.end, onwards)
            onwards = log_sum_exp(self.steps + (after[:, position] + self.scores[:, position])[:, None], 2)
        return after

    def chunk_probabilities(self, chunks: Chunks, rules: ChunkRules) -> ndarray:
        row, first, last, kind = chunks
        starting = np.where(rules.starts[:-1], self.steps, -np.inf)
        within = log_sum_exp(self.before[row, np.maximum(first - 1, 0)][:, :, None] + starting, 1)
        at_start = np.where(rules.starts[-1], self.start, -np.inf)
        inside = np.where((first == 0)[:, None], at_start, within) + self.scores[row, first]
        inside = np.where(rules.kinds == kind[:, None], inside, -np.inf)
        going_on = np.where(rules.continues, self.steps, -np.inf)
        for offset in range(1, int((last - first).max(initial=0))):
            some = np.flatnonzero(first + offset < last)
            moved = log_sum_exp(inside[some][:, :, None] + going_on, 1)
            inside[some] = moved + self.scores[row[some], first[some] + offset]
        at = row, np.minimum(last, self.scores.shape[1] - 1)
        stopping = np.where(rules.continues, -np.inf, self.steps)
        onwards = log_sum_exp(stopping + (self.scores[at] + self.after[at])[:, None], 2)
        leaving = np.where((last == self.lengths[row])[:, None], self.end, onwards)
        total = self.log_partition[row]
        return np.exp(log_sum_exp(inside + leaving, 1) - np.where(np.isfinite(total), total, 0.0))
