"""Weighted sums of losses."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses import Loss, NegativeLogLikelihood
from ner_zoo.losses.focal import Focal
from ner_zoo.losses.weighted_sum import WeightedSum
from ner_zoo.structures import UNKNOWN
from tests.losses.enumerated_hinge import GOLD, padded, random_structure


def test_the_loss_is_the_weighted_sum_of_its_parts():
    structure, gold = random_structure("chain 0"), padded(GOLD)
    params = {"type": "weighted_sum", "losses": ["nll", {"type": "focal", "gamma": 1.0}], "weights": [2.0, 0.5]}
    loss = Loss.from_params(Params(params))
    expected = 2.0 * NegativeLogLikelihood()(structure, gold) + 0.5 * Focal(1.0)(structure, gold)
    assert_close(loss(structure, gold), expected)
    assert_close(loss.per_sentence(structure, gold).mean(), expected)


def test_the_weights_are_1_by_default():
    structure, gold = random_structure("chain 0"), padded(GOLD)
    parts = [NegativeLogLikelihood(), Focal()]
    assert_close(WeightedSum(parts)(structure, gold), sum(part(structure, gold) for part in parts))


def test_its_parts_are_found_among_the_modules_of_a_model():
    assert any(isinstance(module, Focal) for module in WeightedSum([NegativeLogLikelihood(), Focal()]).modules())


def test_each_part_decides_what_an_unknown_label_means():
    gold = padded(GOLD)
    gold[0, 0] = UNKNOWN
    with pytest.raises(ConfigurationError, match="Focal"):
        WeightedSum([Focal()])(random_structure("chain 0"), gold)


def test_weights_that_do_not_match_the_losses_are_refused():
    with pytest.raises(ConfigurationError, match="2 losses and 1 weights"):
        WeightedSum([NegativeLogLikelihood(), Focal()], [1.0])


def test_no_loss_at_all_is_refused():
    with pytest.raises(ConfigurationError, match="0 losses"):
        WeightedSum([])


def test_gradients_reach_the_scores_through_every_part():
    structure = random_structure("independent 0")
    structure.scores.requires_grad_()
    WeightedSum([Focal(), NegativeLogLikelihood()], [1.0, 0.0])(structure, padded(GOLD)).backward()
    both = structure.scores.grad.clone()
    structure.scores.grad = None
    Focal()(structure, padded(GOLD)).backward()
    assert torch.equal(both, structure.scores.grad)
