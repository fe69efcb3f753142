from math import gcd

import numpy as np
import pytest

from ner_zoo.pretraining.cooccurrence import Pairs
from ner_zoo.pretraining.least_squares import LeastSquares, coprime


def some_pairs(words=12, seed=0):
    draw = np.random.default_rng(seed)
    first, second = np.triu_indices(words)
    return Pairs(first.astype(np.int32), second.astype(np.int32), draw.uniform(0.5, 30, len(first)))


def model(words=12, dim=6, seed=3, pairs=None):
    return LeastSquares(words, dim, pairs or some_pairs(words), x_max=10.0, alpha=0.75, learning_rate=0.05, seed=seed)


def objective(some):
    """J by its definition, over both directions of every pair."""
    total = 0.0
    for i, j, count in zip(*some.pairs):
        weight = min(1.0, (count / 10.0) ** 0.75)
        for word, near in {(i, j), (j, i)}:
            product = some.vectors[word, 0, 0].astype(float) @ some.vectors[near, 1, 0]
            difference = product + some.biases[word, 0, 0] + some.biases[near, 1, 0] - np.log(count)
            total += weight * difference**2
    return total


def test_one_update_is_adagrad_by_hand():
    some = model(2, 3, pairs=Pairs(np.array([0], np.int32), np.array([1], np.int32), np.array([4.0])))
    # The reverse of the pair uses other vectors, so its update does not interfere.
    w, c = some.vectors[0, 0, 0].copy(), some.vectors[1, 1, 0].copy()
    list(some.epoch(0))
    weight = (4 / 10) ** 0.75
    pull = weight * (w @ c - np.log(4))
    np.testing.assert_allclose(some.vectors[0, 0, 0], w - 0.05 * pull * c, rtol=1e-5)
    np.testing.assert_allclose(some.vectors[1, 1, 0], c - 0.05 * pull * w, rtol=1e-5)
    np.testing.assert_allclose(some.vectors[0, 0, 1], 1 + (pull * c) ** 2, rtol=1e-5)
    np.testing.assert_allclose(some.biases[0, 0], [-0.05 * pull, 1 + pull**2], rtol=1e-5)


def test_the_objective_falls_and_the_reported_loss_with_it():
    some = model()
    before = objective(some)
    losses = [sum(loss for _, loss in some.epoch(number)) for number in range(200)]
    assert losses[0] <= before and losses[-1] < 0.1 * losses[0]
    assert objective(some) == pytest.approx(losses[-1], rel=0.2)


def test_an_epoch_meets_every_pair_once_in_each_direction():
    some = model()
    assert sum(updates for updates, _ in some.epoch(0)) == some.updates == 12 * 12


def test_a_seed_repeats_a_run_and_another_does_not():
    runs = []
    for seed in (1, 1, 2):
        some = model(seed=seed)
        for number in range(3):
            list(some.epoch(number))
        runs.append(some.result())
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.allclose(runs[0], runs[2])


@pytest.mark.parametrize("count", [1, 2, 12, 97, 100])
def test_steps_reach_every_pair(count):
    step = coprime(count // 2, count)
    assert gcd(step, count) == 1 and {place * step % count for place in range(count)} == set(range(count))
