"""
One pass of GloVe's least squares over co-occurrences: ours pair by pair, compiled; theirs in mini-batches with torch's
sparse AdaGrad. In thousands of updates per second, the figure is `2 · PAIRS / milliseconds`.
"""

from typing import Any

import numpy as np
import torch

from benchmarks.contest import Contest, contest
from ner_zoo.pretraining.cooccurrence import Pairs
from ner_zoo.pretraining.least_squares import LeastSquares

WORDS, PAIRS, DIM, BATCH = 20_000, 100_000, 100, 4096


def some_pairs() -> Pairs:
    """Frequent words occur in many pairs, as in a text."""
    draw = np.random.default_rng(0)
    words = (WORDS ** draw.random((2, 2 * PAIRS))).astype(np.int32) - 1
    first, second = np.sort(words, axis=0)
    different = np.flatnonzero(first != second)[:PAIRS]
    return Pairs(first[different], second[different], draw.uniform(0.1, 50.0, PAIRS))


class TorchGlove:
    """The same function with torch's embeddings and optimizer."""

    def __init__(self, pairs: Pairs) -> None:
        self.first, self.second = (torch.from_numpy(column).long() for column in pairs[:2])
        counts = torch.from_numpy(pairs.counts).float()
        self.logarithms, self.weights = counts.log(), (counts / 10.0).clamp(max=1.0) ** 0.75
        sizes = (DIM, DIM, 1, 1)
        self.tables = [torch.nn.Embedding(WORDS, size, sparse=True) for size in sizes]
        parameters = [table.weight for table in self.tables]
        self.optimizer = torch.optim.Adagrad(parameters, lr=0.05, initial_accumulator_value=1.0)

    def epoch(self) -> None:
        for both in ((self.first, self.second), (self.second, self.first)):
            for start in range(0, PAIRS, BATCH):
                part = slice(start, start + BATCH)
                word, near, bias, near_bias = (table(side[part]) for table, side in zip(self.tables, both * 2))
                difference = (word * near).sum(1) + bias[:, 0] + near_bias[:, 0] - self.logarithms[part]
                self.optimizer.zero_grad()
                (self.weights[part] * difference**2).sum().backward()
                self.optimizer.step()


@contest("glove")
def glove() -> Contest:
    pairs = some_pairs()
    model = LeastSquares(WORDS, DIM, pairs, x_max=10.0, alpha=0.75, learning_rate=0.05, seed=0)
    peer = TorchGlove(pairs)

    def ours() -> Any:
        return list(model.epoch(0))

    return Contest(ours, peer.epoch, "torch.optim.Adagrad, sparse, batches of 4096 pairs", rounds=5)
