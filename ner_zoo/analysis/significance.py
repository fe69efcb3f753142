"""
Significance tests. One-tailed throughout: the question is whether the first system is better.

Over seeds, a few scores per system:       Welch's t-test, which does not assume equal variances, and

    Cohen's d = (mean - mean of the other) / pooled sd,  pooled sd^2 = sum of squared deviations of both / (n + m - 2)

Over sentences, one run per system:        both systems' counts (correct, predicted, gold) of every sentence, and

    F1 = 2 * sum of correct / (sum of predicted + sum of gold)

- paired bootstrap: how often is the first not better on as many sentences drawn with replacement?
- approximate randomisation: how often is the difference as large if the systems are swapped at random per sentence?

Many sentences have the same counts, and only sums matter. So instead of sentences, the number of sentences of each kind
is drawn: multinomial for the bootstrap, binomial for the swaps. The distribution is the same, at a fraction of the
cost.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import ArrayLike, NDArray

SAMPLES = 10_000
# Two ways to compute the same difference may differ by rounding, and must count as equal.
ROUNDING = 1e-12


def welch(scores: Sequence[float], baseline: Sequence[float]) -> float | None:
    """The p-value that `scores` are not better than `baseline`; `None` with fewer than two scores or no variance."""
    if min(len(scores), len(baseline)) < 2 or numpy.var(scores) + numpy.var(baseline) == 0:
        return None
    from scipy.stats import ttest_ind

    with warnings.catch_warnings():
        # Constant scores of one system do not invalidate the test.
        warnings.simplefilter("ignore", RuntimeWarning)
        return float(ttest_ind(scores, baseline, equal_var=False, alternative="greater").pvalue)


def cohens_d(scores: Sequence[float], baseline: Sequence[float]) -> float | None:
    """By how many pooled standard deviations `scores` are better; `None` with fewer than two scores or no variance."""
    if min(len(scores), len(baseline)) < 2:
        return None
    deviations = sum(float(numpy.var(some)) * len(some) for some in (scores, baseline))
    pooled = numpy.sqrt(deviations / (len(scores) + len(baseline) - 2))
    return float((numpy.mean(scores) - numpy.mean(baseline)) / pooled) if pooled > 0 else None


@dataclass(frozen=True)
class Paired:
    """
    difference : difference of the F1 over all sentences.
    p_value : one-tailed, that the first is not better.
    interval : 95 % of the drawn differences; `None` if the test draws them under the null hypothesis.
    """

    difference: float
    p_value: float
    samples: int
    interval: tuple[float, float] | None = None


def f1(counts: ArrayLike) -> NDArray[numpy.float64]:
    """F1 from correct, predicted and gold counts in the last dimension; 0 if nothing is predicted or gold."""
    correct, predicted, gold = numpy.moveaxis(numpy.asarray(counts, dtype=float), -1, 0)
    return 2 * correct / numpy.maximum(predicted + gold, 1)


def paired_bootstrap(counts: ArrayLike, baseline: ArrayLike, samples: int = SAMPLES, seed: int = 0) -> Paired:
    """counts, baseline : (sentences, 3), correct, predicted and gold counts of each sentence, in the same order."""
    kinds, sizes = _kinds(counts, baseline)
    total = int(sizes.sum())
    drawn = numpy.random.default_rng(seed).multinomial(total, sizes / total, samples)  # (samples, kinds)
    sums = drawn @ kinds  # (samples, 6)
    differences = f1(sums[:, :3]) - f1(sums[:, 3:])
    low, high = numpy.quantile(differences, (0.025, 0.975))
    not_better = int((differences <= ROUNDING).sum())
    return Paired(_difference(kinds, sizes), (1 + not_better) / (1 + samples), samples, (float(low), float(high)))


def approximate_randomisation(counts: ArrayLike, baseline: ArrayLike, samples: int = SAMPLES, seed: int = 0) -> Paired:
    """counts, baseline : (sentences, 3), correct, predicted and gold counts of each sentence, in the same order."""
    kinds, sizes = _kinds(counts, baseline)
    swapped = numpy.random.default_rng(seed).binomial(sizes, 0.5, (samples, len(sizes)))  # (samples, kinds)
    moved = swapped @ (kinds[:, 3:] - kinds[:, :3])  # (samples, 3)
    sums = sizes @ kinds  # (6,)
    differences = f1(sums[:3] + moved) - f1(sums[3:] - moved)
    observed = _difference(kinds, sizes)
    as_large = int((differences >= observed - ROUNDING).sum())
    return Paired(observed, (1 + as_large) / (1 + samples), samples)


def _kinds(counts: ArrayLike, baseline: ArrayLike) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
    """The distinct rows of both systems' counts side by side, (kinds, 6), and the number of sentences with each."""
    ours, theirs = numpy.asarray(counts, dtype=numpy.int64), numpy.asarray(baseline, dtype=numpy.int64)
    if ours.shape != theirs.shape or ours.ndim != 2 or ours.shape[1] != 3 or not len(ours):
        raise ValueError(
            f"Counts of shapes {ours.shape} and {theirs.shape} cannot be paired. Both must have one row per sentence "
            f"with correct, predicted and gold counts, for the same sentences."
        )
    if (ours[:, 2] != theirs[:, 2]).any():
        row = int((ours[:, 2] != theirs[:, 2]).argmax())
        raise ValueError(
            f"Sentence {row} has {ours[row, 2]} gold annotations for one system and {theirs[row, 2]} for the other. "
            f"Count both on the same file, in the same order."
        )
    return numpy.unique(numpy.hstack([ours, theirs]), axis=0, return_counts=True)


def _difference(kinds: NDArray[numpy.int64], sizes: NDArray[numpy.int64]) -> float:
    sums = sizes @ kinds
    return float(f1(sums[:3]) - f1(sums[3:]))
