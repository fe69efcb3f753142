"""The structured hinge, against all labellings written out."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses import Loss
from ner_zoo.losses.hinge import Hinge
from tests.losses.enumerated_hinge import (
    GOLD,
    OUT,
    STRUCTURES,
    enumerated,
    is_differentiable,
    padded,
    random_structure,
)
from tests.structures.enumeration import rows


@pytest.fixture(params=STRUCTURES)
def structure(request):
    return random_structure(request.param)


def test_the_loss_is_what_the_gold_labelling_lacks_to_outscore_all_others_by_their_cost(structure):
    expected = [sentence.hinge() for sentence in enumerated(structure)]
    assert_close(Hinge().per_sentence(structure, padded(GOLD)), torch.tensor(expected, dtype=torch.float64))


def test_the_search_finds_the_labelling_with_the_highest_score_plus_cost(structure):
    found = rows(structure, Hinge().most_violating(structure, padded(GOLD)))
    assert found == [sentence.violating for sentence in enumerated(structure)]


def test_the_cost_can_price_false_positives_and_negatives_apart(structure):
    def price(gold, label):
        if gold == label:
            return 0.0
        return 3.0 if gold == OUT else 0.5 if label == OUT else 2.0

    cost = {"type": "weighted_hamming", "false_positive": 3.0, "false_negative": 0.5, "confusion": 2.0}
    loss = Loss.from_params(Params({"type": "hinge", "cost": cost}))
    expected = [sentence.hinge() for sentence in enumerated(structure, price)]
    assert_close(loss.per_sentence(structure, padded(GOLD)), torch.tensor(expected, dtype=torch.float64))


def test_its_gradient_is_right(structure):
    assert is_differentiable(Hinge(), structure)


def test_a_gold_labelling_that_is_far_ahead_costs_nothing(structure):
    far_ahead = torch.zeros_like(structure.scores).scatter(2, padded(GOLD).unsqueeze(2), 100.0)
    assert not Hinge().per_sentence(structure.plus(far_ahead), padded(GOLD)).any()


def test_what_lies_under_the_mask_does_not_count(structure):
    loss = Hinge()
    expected = loss.per_sentence(structure, padded(GOLD))
    assert_close(loss.per_sentence(structure, padded(GOLD, filler=2)), expected)


def test_a_cost_that_is_not_a_sum_over_positions_is_refused_with_advice():
    from ner_zoo.losses.cost import Cost

    class ExactMatch(Cost):
        def between(self, structure, gold, labels):
            return (gold != labels).any(1).float()

    with pytest.raises(ConfigurationError, match="ExactMatch is not a sum over positions.*minimum_risk"):
        Hinge(ExactMatch())
