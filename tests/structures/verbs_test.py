"""Every operation of every structure matches its definition, by enumeration of all labellings."""

from collections import Counter
from math import inf, log

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.structures import UNKNOWN, Structure
from tests.structures.enumeration import (
    BATCHES,
    every_log_partition,
    every_marginal,
    legal_labellings,
    probabilities,
    random_chain,
    random_independent,
    ranked,
    rows,
    score_of,
)

CASES = [f"chain {batch} {seed}" for batch in BATCHES for seed in range(2)]
CASES += [f"independent {batch} {seed}" for batch in ("free", "restricted") for seed in range(2)]


@pytest.fixture(params=CASES)
def structure(request: pytest.FixtureRequest) -> Structure:
    kind, batch, seed = request.param.split()
    return {"chain": random_chain, "independent": random_independent}[kind](batch, int(seed))


def random_labels(structure: Structure) -> torch.Tensor:
    return torch.randint(structure.scores.shape[2], structure.mask.shape)


def test_score_is_the_sum_of_scores_along_the_labelling(structure):
    labels = random_labels(structure)
    expected = [score_of(structure, at, row) for at, row in enumerate(rows(structure, labels))]
    assert_close(structure.score(labels), torch.stack(expected))


def test_score_does_not_see_what_lies_under_the_mask(structure):
    labels = random_labels(structure)
    assert_close(structure.score(labels), structure.score(labels.masked_fill(~structure.mask, UNKNOWN)))


def test_score_refuses_a_labelling_with_unknown_labels(structure):
    with pytest.raises(ValueError, match="position 0 of sentence 0 of the batch"):
        structure.score(torch.full(structure.mask.shape, UNKNOWN))


def test_log_partition_sums_over_every_legal_labelling(structure):
    assert_close(structure.log_partition(), every_log_partition(structure))


def test_log_likelihood_is_the_log_of_the_probability_with_its_gradient(structure):
    structure.scores.requires_grad_()
    gold = structure.best()
    ours = structure.log_likelihood(gold)
    likeliest = [max(probabilities(structure, at).values()) for at in range(len(structure.mask))]
    assert_close(ours.exp(), torch.tensor(likeliest, dtype=torch.float64))
    weights = torch.arange(1.0, 6.0, dtype=torch.float64)
    theirs = structure.score(gold) - structure.log_partition()
    assert_close(*(torch.autograd.grad((weights * total).sum(), structure.scores) for total in (ours, theirs)))


def test_the_gradient_of_the_log_partition_is_the_marginals(structure):
    structure.scores.requires_grad_()
    (gradient,) = torch.autograd.grad(structure.log_partition().sum(), structure.scores)
    assert_close(gradient, every_marginal(structure))


def test_max_is_the_score_of_the_best_legal_labelling(structure):
    best = [max(legal_labellings(structure, at).values()) for at in range(len(structure.mask))]
    assert_close(structure.max(), torch.stack(best))


def test_the_gradient_of_max_is_the_best_labelling(structure):
    structure.scores.requires_grad_()
    (gradient,) = torch.autograd.grad(structure.max().sum(), structure.scores)
    assert_close(gradient.sum(2), structure.mask.double())
    assert torch.equal(gradient.argmax(2), structure.best())


def test_best_is_the_best_legal_labelling_and_0_under_the_mask(structure):
    labels = structure.best()
    assert rows(structure, labels) == [ranked(structure, at)[0][0] for at in range(len(structure.mask))]
    assert not labels[~structure.mask].any()


def test_marginals_sum_the_probabilities_of_labellings_with_the_label(structure):
    assert_close(structure.marginals(), every_marginal(structure))


def test_marginals_have_a_gradient(structure):
    assert torch.autograd.gradcheck(lambda scores: structure.plus(scores).marginals(), perturbation(structure))


def test_the_log_partition_has_a_gradient_and_a_gradient_of_it(structure):
    def log_partition(scores: torch.Tensor) -> torch.Tensor:
        return structure.plus(scores).log_partition()

    assert torch.autograd.gradcheck(log_partition, perturbation(structure))
    assert torch.autograd.gradgradcheck(log_partition, perturbation(structure))


def test_entropy_is_minus_the_sum_of_p_log_p_over_every_legal_labelling(structure):
    expected = [-sum(p * log(p) for p in probabilities(structure, at).values()) for at in range(len(structure.mask))]
    assert_close(structure.entropy(), torch.tensor(expected, dtype=torch.float64))
    assert structure.entropy()[2] == 0.0  # the empty sentence


def test_entropy_has_a_gradient(structure):
    assert torch.autograd.gradcheck(lambda scores: structure.plus(scores).entropy(), perturbation(structure))


def test_samples_come_with_the_frequency_of_their_probability(structure):
    n = 4000
    samples = [rows(structure, labels) for labels in structure.sample(n)]
    for sentence in range(len(structure.mask)):
        drawn = Counter(sample[sentence] for sample in samples)
        expected = {labels: n * p for labels, p in probabilities(structure, sentence).items()}
        assert set(drawn) <= set(expected)
        # Chi-square is not suitable for single rare labellings: they are counted together.
        rare = {labels for labels, count in expected.items() if count < 10}
        pairs = [(drawn[labels], count) for labels, count in expected.items() if labels not in rare]
        if sum(expected[labels] for labels in rare) >= 10:
            pairs.append((sum(drawn[labels] for labels in rare), sum(expected[labels] for labels in rare)))
        freedom = len(pairs) - 1
        # Its mean is the degrees of freedom k, its standard deviation sqrt(2k): five of them are far out.
        assert sum((seen - count) ** 2 / count for seen, count in pairs) <= freedom + 1 + 5 * (2 * freedom) ** 0.5


def test_samples_are_governed_by_the_seed_of_torch(structure):
    torch.manual_seed(7)
    samples = structure.sample(20)
    torch.manual_seed(7)
    assert torch.equal(structure.sample(20), samples)
    assert not torch.equal(structure.sample(20), samples)
    assert not samples[:, ~structure.mask].any()


def test_plus_adds_to_the_local_scores(structure):
    more = torch.randn_like(structure.scores)
    labels = random_labels(structure)
    added = (more.gather(2, labels.unsqueeze(2)).squeeze(2) * structure.mask).sum(1)
    assert_close(structure.plus(more).score(labels), structure.score(labels) + added)
    assert_close(structure.plus(more).log_partition(), every_log_partition(structure.plus(more)))


def test_a_temperature_divides_every_score(structure):
    tempered = structure.tempered(2.5)
    for sentence in range(len(structure.mask)):
        expected = {labels: score / 2.5 for labels, score in legal_labellings(structure, sentence).items()}
        found = legal_labellings(tempered, sentence)
        assert found.keys() == expected.keys()
        for labels, score in found.items():
            assert_close(score, expected[labels])
    assert tempered.best().tolist() == structure.best().tolist()
    assert structure.tempered(1.0) is structure


def test_restrict_keeps_the_labellings_with_allowed_labels(structure):
    allowed = torch.rand(structure.scores.shape) < 0.7
    allowed[:, :, 0] = True
    narrow = structure.restrict(allowed)
    for sentence in range(len(structure.mask)):
        kept = {
            labels
            for labels in legal_labellings(structure, sentence)
            if all(allowed[sentence, at, label] for at, label in enumerate(labels))
        }
        assert set(legal_labellings(narrow, sentence)) == kept
    assert_close(narrow.log_partition(), every_log_partition(narrow))
    assert rows(narrow, narrow.best()) == [ranked(narrow, at)[0][0] for at in range(len(structure.mask))]


def test_a_sentence_without_any_legal_labelling_spoils_nothing(structure):
    allowed = torch.ones_like(structure.scores, dtype=torch.bool)
    allowed[1, 2] = False
    narrow = structure.restrict(allowed)
    narrow.scores.requires_grad_()
    others = [0, 2, 3, 4]
    assert narrow.log_partition()[1] == -inf and narrow.max()[1] == -inf
    assert_close(narrow.log_partition()[others], structure.log_partition()[others])
    for total in (narrow.log_partition(), narrow.max()):
        (gradient,) = torch.autograd.grad(total.sum(), narrow.scores)
        assert gradient.isfinite().all() and not gradient[1].any()
    (gradient,) = torch.autograd.grad(narrow.entropy().sum(), narrow.scores)
    assert gradient.isfinite().all()
    for zero in (narrow.best()[1], narrow.marginals()[1], narrow.entropy()[1], narrow.sample(3)[:, 1]):
        assert not zero.any()


def test_nothing_but_empty_sentences_score_0(structure):
    empty = type(structure).plus(structure, torch.zeros_like(structure.scores))
    empty.mask = torch.zeros_like(structure.mask)
    for total in (empty.log_partition(), empty.max(), empty.entropy(), empty.score(random_labels(empty))):
        assert_close(total, torch.zeros(len(empty.mask), dtype=torch.float64))


def test_half_precision_is_computed_in_single_precision(structure):
    half = type(structure).plus(structure, torch.zeros_like(structure.scores))
    narrow = half.scores.bfloat16()
    rounded = structure.plus(narrow.double() - structure.scores)
    again = rebuilt(structure, narrow)
    assert again.scores.dtype == torch.float32
    assert_close(again.log_partition().double(), rounded.log_partition(), rtol=1e-5, atol=1e-5)


def test_verbs_run_without_gradients_and_in_inference_mode(structure):
    expected = structure.log_partition(), structure.marginals(), structure.best(), structure.max()
    for mode in (torch.no_grad(), torch.inference_mode()):
        with mode:
            same = rebuilt(structure, structure.scores * 1.0)
            found = same.log_partition(), same.marginals(), same.best(), same.max()
            assert same.sample(2).shape == (2, *structure.mask.shape)
        assert_close(found, expected)


def rebuilt(structure: Structure, scores: torch.Tensor) -> Structure:
    """The same structure with other local scores."""
    parts = {**vars(structure), "scores": scores}
    parts = {name: part for name, part in parts.items() if not name.startswith("_")}
    return type(structure)(**parts)


def perturbation(structure: Structure) -> torch.Tensor:
    return torch.zeros_like(structure.scores, requires_grad=True)
