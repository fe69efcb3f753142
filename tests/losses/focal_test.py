"""The focal loss, by hand."""

from math import exp, log

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses.focal import Focal
from ner_zoo.structures import Independent
from tests.losses.enumerated_hinge import GOLD, STRUCTURES, is_differentiable, padded, random_structure


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
def test_positions_that_are_right_count_little(name, gamma):
    structure = random_structure(name)
    expected = []
    for sentence, gold in enumerate(GOLD):
        total = 0.0
        for position, label in enumerate(gold):
            scores = structure.scores[sentence, position].tolist()
            q = exp(scores[label]) / sum(exp(score) for score in scores)
            total -= (1 - q) ** gamma * log(q)
        expected.append(total)
    summed, mean = (Focal(gamma, reduction).per_sentence(structure, padded(GOLD)) for reduction in ("sum", "mean"))
    assert_close(summed, torch.tensor(expected, dtype=torch.float64))
    assert_close(mean * torch.tensor([max(len(gold), 1) for gold in GOLD]), summed)


@pytest.mark.parametrize("gamma", [0.5, 2.0])
def test_wrong_labels_can_have_terms_of_their_own(gamma):
    structure = random_structure("chain 0")
    expected = []
    for sentence, gold in enumerate(GOLD):
        total = 0.0
        for position, label in enumerate(gold):
            scores = structure.scores[sentence, position].tolist()
            p = [exp(score) / sum(map(exp, scores)) for score in scores]
            total -= (1 - p[label]) ** gamma * log(p[label])
            total -= sum(p[k] ** gamma * log(1 - p[k]) for k in range(len(p)) if k != label)
        expected.append(total)
    found = Focal(gamma, wrong_labels=True).per_sentence(structure, padded(GOLD))
    assert_close(found, torch.tensor(expected, dtype=torch.float64))


@pytest.mark.parametrize("wrong_labels", [False, True])
@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
def test_its_gradient_is_right(gamma, wrong_labels):
    assert is_differentiable(Focal(gamma, wrong_labels=wrong_labels), random_structure("chain 0"))


def test_a_wrong_label_that_is_certain_has_a_finite_gradient():
    scores = torch.tensor([[[100.0, -100.0], [-100.0, 100.0]]], requires_grad=True)
    structure = Independent(scores, torch.ones(1, 2, dtype=torch.bool))
    loss = Focal(wrong_labels=True)(structure, torch.tensor([[0, 0]]))
    loss.backward()
    assert loss.isfinite() and scores.grad.isfinite().all()


@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
def test_positions_that_are_all_right_or_all_wrong_have_a_finite_gradient(gamma):
    scores = torch.tensor([[[100.0, -100.0], [-100.0, 100.0]]], requires_grad=True)
    structure = Independent(scores, torch.ones(1, 2, dtype=torch.bool))
    loss = Focal(gamma)(structure, torch.tensor([[0, 0]]))
    loss.backward()
    assert_close(loss, torch.tensor(200.0))
    assert scores.grad.isfinite().all()


def test_a_reduction_that_does_not_exist_is_refused():
    with pytest.raises(ConfigurationError, match="'average'.*`sum` or `mean`"):
        Focal(reduction="average")
