"""
GloVe's weighted least squares with AdaGrad, one pair of words at a time.

    J = sum over pairs of f(X_ij) (w_i · c_j + b_i + b'_j - log X_ij)²          f(x) = min(1, (x / x_max)^alpha)

A word has a vector w as a centre word and a vector c as a context word; its final vector is w + c. Every pair is used
in both directions. The order in an epoch is a walk through the pairs in large steps, which needs no memory.
"""

from collections.abc import Iterator
from math import gcd

import numpy as np
from numba import njit
from numpy import ndarray

from ner_zoo.pretraining.cooccurrence import Pairs

# Pairs between two progress updates.
BLOCK = 1 << 17
ITSELF, NEIGHBOUR = 0, 1
VALUE, SQUARES = 0, 1


class LeastSquares:
    """
    words, dim : number and size of the vectors.
    pairs : the co-occurrences.
    x_max, alpha : parameters of the weighting f.
    learning_rate : learning rate of AdaGrad.
    seed : for the initial vectors and the order of pairs.
    """

    def __init__(
        self, words: int, dim: int, pairs: Pairs, x_max: float, alpha: float, learning_rate: float, seed: int
    ) -> None:
        self.pairs = pairs
        self.logarithms = np.log(pairs.counts).astype(np.float32)
        self.weights = np.minimum(1.0, (pairs.counts / x_max) ** alpha).astype(np.float32)
        self.learning_rate = learning_rate
        self.seed = seed
        draw = np.random.default_rng([seed, 0])
        # (words, centre or context, value or sum of squared gradients, dim): data of one update is contiguous.
        self.vectors = np.ones((words, 2, 2, dim), dtype=np.float32)
        self.vectors[:, :, VALUE] = (draw.random((words, 2, dim)) - 0.5) / dim
        self.biases = np.zeros((words, 2, 2), dtype=np.float32)
        self.biases[:, :, SQUARES] = 1.0

    @property
    def updates(self) -> int:
        """The number of updates in an epoch."""
        return int(2 * len(self.pairs.first) - (self.pairs.first == self.pairs.second).sum())

    def epoch(self, number: int) -> Iterator[tuple[int, float]]:
        """Processes all pairs once; yields the number of updates and the loss of each block."""
        count = len(self.pairs.first)
        draw = np.random.default_rng([self.seed, 1, number])
        step = coprime(int(count * draw.uniform(0.3, 0.7)), count)
        place = int(draw.integers(count)) if count else 0
        for done in range(0, count, BLOCK):
            size = min(BLOCK, count - done)
            yield update(
                self.vectors,
                self.biases,
                self.pairs.first,
                self.pairs.second,
                self.logarithms,
                self.weights,
                np.array([(place + done * step) % count, step, size]),
                np.float32(self.learning_rate),
            )

    def result(self) -> ndarray:
        """The final vectors: `(words, dim)`."""
        return self.vectors[:, ITSELF, VALUE] + self.vectors[:, NEIGHBOUR, VALUE]


def coprime(step: int, count: int) -> int:
    """The first number from `step` on that is coprime to `count`, so that its multiples reach every pair."""
    step = max(1, step)
    while gcd(step, count) > 1:
        step += 1
    return step


# fastmath lets the compiler vectorise dot products; the order is the same in every run. Without Python's check for
# division by zero, a learning rate that is too high shows in the loss.
@njit(forceinline=True, cache=True, nogil=True, fastmath=True, error_model="numpy")
def update_one(
    word: ndarray,
    neighbour: ndarray,
    word_bias: ndarray,
    neighbour_bias: ndarray,
    log_count: float,
    weight: float,
    rate: float,
) -> float:
    """
    Updates one direction of a pair: vectors `(2, dim)` and biases `(2,)`, values and sums. Returns the loss
    before.
    """
    dim = word.shape[1]
    product = np.float32(0.0)
    for at in range(dim):
        product += word[0, at] * neighbour[0, at]
    difference = product + word_bias[0] + neighbour_bias[0] - log_count
    pull = weight * difference
    for at in range(dim):
        of_word, of_neighbour = pull * neighbour[0, at], pull * word[0, at]
        word[0, at] -= rate * of_word / np.sqrt(word[1, at])
        neighbour[0, at] -= rate * of_neighbour / np.sqrt(neighbour[1, at])
        word[1, at] += of_word * of_word
        neighbour[1, at] += of_neighbour * of_neighbour
    word_bias[0] -= rate * pull / np.sqrt(word_bias[1])
    neighbour_bias[0] -= rate * pull / np.sqrt(neighbour_bias[1])
    word_bias[1] += pull * pull
    neighbour_bias[1] += pull * pull
    return pull * difference


@njit(cache=True, nogil=True, fastmath=True)
def update(
    vectors: ndarray,
    biases: ndarray,
    first: ndarray,
    second: ndarray,
    logarithms: ndarray,
    weights: ndarray,
    walk: ndarray,
    rate: float,
) -> tuple[int, float]:
    """Processes a part of an epoch: `walk` is its start, its step and its number of pairs. Returns updates and loss."""
    place, step, size = walk
    loss, updates = 0.0, 0
    for _ in range(size):
        i, j = first[place], second[place]
        log_count, weight = logarithms[place], weights[place]
        loss += update_one(vectors[i, 0], vectors[j, 1], biases[i, 0], biases[j, 1], log_count, weight, rate)
        updates += 1
        if i != j:
            loss += update_one(vectors[j, 0], vectors[i, 1], biases[j, 0], biases[i, 1], log_count, weight, rate)
            updates += 1
        place = (place + step) % len(first)
    return updates, loss
