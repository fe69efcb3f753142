"""Sets of labellings: gold first, distinct, drawn with the frequencies given by enumeration."""

import itertools
from collections import Counter, defaultdict

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.structures.taggings import distinct_taggings, draw, log_probabilities
from tests.structures.enumeration import legal_labellings, probabilities, random_chain, random_independent, rows

STRUCTURES = {
    "independent": random_independent("free"),
    "restricted": random_independent("restricted"),
    "chain": random_chain("free"),
    "constrained chain": random_chain("both"),
}


@pytest.fixture(params=STRUCTURES)
def structure(request):
    torch.manual_seed(3)
    return STRUCTURES[request.param]


def legal_gold(structure):
    """Some legal labelling of each sentence."""
    gold = torch.zeros(structure.mask.shape, dtype=torch.long)
    for sentence in range(len(gold)):
        labels = sorted(legal_labellings(structure, sentence))[-1]
        gold[sentence, : len(labels)] = torch.tensor(labels)
    return gold


def mixture(structure, sentence, epsilon):
    """The probability of each labelling, summed over the sets of positions that may ignore their scores."""
    total = defaultdict(float)
    length = int(structure.mask[sentence].sum())
    for forgets in itertools.product([False, True], repeat=length):
        weight = 1.0
        keep = torch.ones_like(structure.scores)
        for position, is_forgotten in enumerate(forgets):
            weight *= epsilon if is_forgotten else 1 - epsilon
            keep[sentence, position] = 0.0 if is_forgotten else 1.0
        forgetful = structure.plus(structure.scores * (keep - 1))
        for labels, probability in probabilities(forgetful, sentence).items():
            total[labels] += weight * probability
    return total


@pytest.mark.parametrize("epsilon", [0.0, 0.4])
def test_draws_come_with_the_frequencies_of_the_mixture(structure, epsilon):
    n = 6000
    drawn = [rows(structure, labels) for labels in draw(structure, n, epsilon)]
    for sentence in range(len(structure.mask)):
        seen = Counter(sample[sentence] for sample in drawn)
        expected = {labels: n * p for labels, p in mixture(structure, sentence, epsilon).items() if p > 0}
        assert set(seen) <= set(expected)
        often = {labels: count for labels, count in expected.items() if count >= 10}
        freedom = max(len(often) - 1, 0)
        distance = sum((seen[labels] - count) ** 2 / count for labels, count in often.items())
        # Chi-square has mean k and standard deviation sqrt(2k).
        assert distance <= freedom + 1 + 5 * (2 * freedom) ** 0.5


def test_independent_positions_are_drawn_from_nine_parts_model_and_one_part_uniform():
    structure = STRUCTURES["independent"]
    drawn = draw(structure, 20000, 0.1)
    for label in range(3):
        frequency = (drawn == label).double().mean(0)[structure.mask]
        expected = (0.9 * structure.marginals()[:, :, label] + 0.1 / 3)[structure.mask]
        assert_close(frequency, expected, atol=0.02, rtol=0)


def test_the_gold_labelling_is_the_first_and_no_other_is_equal_to_it_or_to_another(structure):
    gold = legal_gold(structure)
    taggings = distinct_taggings(structure, gold, 4, 0.1, 50)
    assert torch.equal(taggings.labels[0], gold)
    assert taggings.exists[0].all()
    for sentence in range(len(gold)):
        found = [tuple(labels[sentence].tolist()) for labels in taggings.labels[taggings.exists[:, sentence]]]
        assert len(set(found)) == len(found)


@pytest.mark.parametrize("batch", ["free", "both"])
def test_more_samples_than_labellings_give_each_labelling_once(batch):
    structure = random_chain(batch, lengths=(2, 3, 0, 1), scale=0.3)
    gold = legal_gold(structure)
    taggings = distinct_taggings(structure, gold, 30, 0.5, 600)
    for sentence in range(len(gold)):
        found = {rows(structure, labels)[sentence] for labels in taggings.labels[taggings.exists[:, sentence]]}
        assert found == set(legal_labellings(structure, sentence))
        assert int(taggings.exists[:, sentence].sum()) == len(found)


def test_the_number_of_draws_is_bounded(structure):
    sharp = structure.plus(structure.scores * 1000)
    best = sharp.best()
    taggings = distinct_taggings(sharp, best, 5, 0.0, 3)
    assert len(taggings.labels) == 4
    assert taggings.exists.sum(0).eq(1).all()


def test_samples_are_taken_in_the_order_in_which_they_were_drawn(structure):
    gold = legal_gold(structure)
    torch.manual_seed(5)
    drawn = draw(structure, 30, 0.1)
    torch.manual_seed(5)
    taggings = distinct_taggings(structure, gold, 3, 0.1, 30)
    for sentence in range(len(gold)):
        expected = list(dict.fromkeys(tuple(row[sentence].tolist()) for row in torch.cat([gold[None], drawn])))[:3]
        found = taggings.labels[taggings.exists[:, sentence], sentence]
        assert [tuple(row.tolist()) for row in found] == expected


def test_log_probabilities_are_those_of_enumeration(structure):
    gold = legal_gold(structure)
    taggings = distinct_taggings(structure, gold, 5, 0.3, 50)
    found = log_probabilities(structure, taggings.labels).exp()
    for number, labels in enumerate(taggings.labels):
        expected = [probabilities(structure, at)[row] for at, row in enumerate(rows(structure, labels))]
        assert_close(found[number], torch.tensor(expected, dtype=torch.float64))


def test_no_gradient_flows_through_the_draw():
    structure = random_independent("free")
    structure.scores.requires_grad_()
    assert not distinct_taggings(structure, legal_gold(structure), 3, 0.1, 10).labels.requires_grad
