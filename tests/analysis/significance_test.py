from itertools import product
from math import comb, sqrt

import numpy
import pytest
from scipy.stats import ttest_ind

from ner_zoo.analysis.significance import approximate_randomisation, cohens_d, f1, paired_bootstrap, welch

# Published means and standard deviations of three runs on OntoNotes. Three numbers with exactly these:
TABLE = {
    "nll": (88.54, 0.13),
    "hinge": (88.81, 0.06),
    "hinge_yu": (88.88, 0.10),
    "double_hinge": (88.85, 0.13),
    "discounted_margin": (89.16, 0.03),
}
RUNS = {name: [mean - sd, mean, mean + sd] for name, (mean, sd) in TABLE.items()}


def random_counts(sentences: int, seed: int, share: float = 0.7) -> numpy.ndarray:
    draw = numpy.random.default_rng(seed)
    gold = numpy.random.default_rng(0).integers(0, 4, sentences)
    correct = draw.binomial(gold, share)
    return numpy.stack([correct, correct + draw.integers(0, 2, sentences), gold], axis=1)


@pytest.mark.parametrize(("name", "bound"), [("hinge", 0.05), ("hinge_yu", 0.05), ("discounted_margin", 0.01)])
def test_welch_finds_the_published_losses_better_as_the_paper_says(name: str, bound: float) -> None:
    p_value = welch(RUNS[name], RUNS["nll"])
    assert p_value is not None and p_value < bound


def test_welch_is_the_t_test_by_hand_with_as_many_degrees_of_freedom_as_welch_and_satterthwaite_give() -> None:
    from scipy.stats import t

    of_scores, of_baseline = 0.06**2 / 3, 0.13**2 / 3
    statistic = (88.81 - 88.54) / sqrt(of_scores + of_baseline)
    freedom = (of_scores + of_baseline) ** 2 / (of_scores**2 / 2 + of_baseline**2 / 2)
    assert welch(RUNS["hinge"], RUNS["nll"]) == pytest.approx(t.sf(statistic, freedom))


def test_welch_is_one_tailed() -> None:
    better, worse = [0.51, 0.55, 0.53, 0.6], [0.5, 0.49, 0.54]
    both = ttest_ind(better, worse, equal_var=False).pvalue
    assert welch(better, worse) == pytest.approx(both / 2)
    assert welch(worse, better) == pytest.approx(1 - both / 2)


@pytest.mark.parametrize(("scores", "baseline"), [([0.5], [0.4, 0.6]), ([0.5, 0.6], []), ([0.5, 0.5], [0.4, 0.4])])
def test_inconclusive_data_gives_no_result(scores: list, baseline: list) -> None:
    assert welch(scores, baseline) is None and cohens_d(scores, baseline) is None


def test_cohens_d_is_the_difference_in_pooled_standard_deviations() -> None:
    assert cohens_d(RUNS["discounted_margin"], RUNS["nll"]) == pytest.approx(
        (89.16 - 88.54) / sqrt((0.03**2 + 0.13**2) / 2)
    )
    # Deviations -1, 1 and -2, 0, 2: squares sum to 10, over 3 degrees of freedom.
    assert cohens_d([4, 6], [1, 3, 5]) == pytest.approx(2 / sqrt(10 / 3))
    assert cohens_d([1, 3, 5], [4, 6]) == pytest.approx(-2 / sqrt(10 / 3))


def test_f1_is_of_the_sums_and_zero_of_nothing() -> None:
    assert f1([3, 4, 6]) == pytest.approx(0.6)
    assert f1([[3, 4, 6], [0, 0, 0], [2, 2, 2]]).tolist() == pytest.approx([0.6, 0, 1])


def test_the_bootstrap_draws_sentences_with_replacement() -> None:
    ours = numpy.array([[1, 1, 1], [0, 1, 1], [1, 1, 1]])
    theirs = numpy.array([[0, 0, 1], [1, 1, 1], [1, 2, 1]])
    every = [
        bool(f1(ours[list(rows)].sum(0)) <= f1(theirs[list(rows)].sum(0)) + 1e-12)
        for rows in product(range(3), repeat=3)
    ]
    drawn = paired_bootstrap(ours, theirs, samples=40_000)
    assert drawn.p_value == pytest.approx(sum(every) / len(every), abs=0.01)
    assert drawn.difference == pytest.approx(4 / 6 - 4 / 6)


def test_the_bootstrap_agrees_with_rows_that_are_really_drawn() -> None:
    ours, theirs = random_counts(80, seed=1, share=0.75), random_counts(80, seed=2)
    rows = numpy.random.default_rng(5).integers(0, 80, (20_000, 80))
    differences = f1(ours[rows].sum(1)) - f1(theirs[rows].sum(1))
    drawn = paired_bootstrap(ours, theirs, samples=20_000)
    assert drawn.interval == pytest.approx(numpy.quantile(differences, (0.025, 0.975)), abs=0.006)
    assert drawn.p_value == pytest.approx((differences <= 0).mean(), abs=0.012)


def test_approximate_randomisation_agrees_with_every_exchange_there_is() -> None:
    ours, theirs = random_counts(10, seed=3, share=0.9), random_counts(10, seed=4, share=0.5)
    observed = f1(ours.sum(0)) - f1(theirs.sum(0))
    as_large = 0
    for coins in product((False, True), repeat=10):
        swap = numpy.array(coins)[:, None]
        first, second = numpy.where(swap, theirs, ours), numpy.where(swap, ours, theirs)
        as_large += bool(f1(first.sum(0)) - f1(second.sum(0)) >= observed - 1e-12)
    drawn = approximate_randomisation(ours, theirs, samples=40_000)
    assert drawn.p_value == pytest.approx(as_large / 2**10, abs=0.01)
    assert drawn.difference == pytest.approx(observed)


def test_when_one_system_wins_every_sentence_randomisation_is_the_sign_test() -> None:
    ours, theirs = numpy.array([[1, 1, 1]] * 6), numpy.array([[0, 1, 1]] * 6)
    assert approximate_randomisation(ours, theirs, samples=100_000).p_value == pytest.approx(
        comb(6, 6) / 2**6, abs=0.002
    )


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomisation])
def test_a_system_is_not_better_than_itself(test) -> None:
    counts = random_counts(50, seed=1)
    assert test(counts, counts).p_value == 1 and test(counts, counts).difference == 0


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomisation])
def test_the_same_seed_gives_the_same_figures(test) -> None:
    ours, theirs = random_counts(50, seed=1), random_counts(50, seed=2)
    assert test(ours, theirs, seed=7) == test(ours, theirs, seed=7) != test(ours, theirs, seed=8)


@pytest.mark.parametrize(
    ("theirs", "problem"), [([[1, 1, 1]], "cannot be paired"), ([[1, 1, 2], [1, 1, 1]], "Sentence 0 has 1 gold")]
)
def test_counts_of_other_sentences_are_refused(theirs: list, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        paired_bootstrap([[1, 1, 1], [1, 1, 1]], theirs)
