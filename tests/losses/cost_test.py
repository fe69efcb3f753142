"""Costs that are sums over positions."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import evaluate_snippet
from torch.testing import assert_close

from ner_zoo.losses.cost import Cost, Hamming, WeightedHamming
from ner_zoo.structures import UNKNOWN, Independent
from tests.losses.enumerated_hinge import GOLD, padded, random_structure

GOLD_LABELS = torch.tensor([[0, 1, 2, 0], [3, 0, 0, 0]])
LABELS = torch.tensor([[1, 0, 2, 0], [1, 0, 3, 3]])


def structure(background=0):
    mask = torch.tensor([[True] * 4, [True] * 3 + [False]])
    return Independent(torch.zeros(2, 4, 4), mask, background)


def test_the_hamming_cost_counts_wrong_labels():
    assert Hamming().between(structure(), GOLD_LABELS, LABELS).tolist() == [2.0, 2.0]
    assert Hamming(0.5).between(structure(), GOLD_LABELS, LABELS).tolist() == [1.0, 1.0]


def test_the_weighted_hamming_cost_prices_each_kind_of_error():
    cost = WeightedHamming(false_positive=1.0, false_negative=10.0, confusion=100.0)
    assert cost.between(structure(), GOLD_LABELS, LABELS).tolist() == [11.0, 101.0]


def test_with_equal_prices_it_is_the_hamming_cost():
    assert_close(
        WeightedHamming().between(structure(), GOLD_LABELS, LABELS), Hamming().between(structure(), GOLD_LABELS, LABELS)
    )


@pytest.mark.parametrize("cost", [Hamming(2.0), WeightedHamming(1.0, 2.0, 3.0)])
def test_added_to_a_structure_a_labelling_scores_its_score_and_its_cost(cost):
    chain = random_structure("chain 0")
    labels = torch.randint(4, chain.mask.shape)
    expected = chain.score(labels) + cost.between(chain, padded(GOLD), labels)
    assert_close(cost.added_to(chain, padded(GOLD)).score(labels), expected)


def test_where_the_gold_label_is_unknown_none_is_wrong():
    gold = torch.full_like(GOLD_LABELS, UNKNOWN)
    assert not Hamming().between(structure(), gold, LABELS).any()
    assert not Hamming().added_to(structure(), gold).scores.any()


def test_without_a_background_there_are_no_false_positives_to_price():
    with pytest.raises(ConfigurationError, match="background.*`hamming`"):
        WeightedHamming().between(structure(background=-1), GOLD_LABELS, LABELS)


def test_prices_are_as_exact_as_the_scores():
    chain = Independent(torch.zeros(1, 3, 4, dtype=torch.float64), torch.ones(1, 3, dtype=torch.bool), 0)
    gold, labels = torch.tensor([[0, 1, 2]]), torch.tensor([[1, 0, 3]])
    assert Hamming(0.1).between(chain, gold, labels).item() == 0.1 + 0.1 + 0.1
    assert WeightedHamming(0.1, 0.7, 1.3).between(chain, gold, labels).item() == pytest.approx(2.1, rel=1e-15)


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_a_negative_cost_is_refused(price):
    with pytest.raises(ConfigurationError, match="`scale`.*Set it to 0 or more"):
        Hamming(price)
    with pytest.raises(ConfigurationError, match="`false_negative`.*Set it to 0 or more"):
        WeightedHamming(false_negative=price)


@pytest.mark.parametrize("f1", [0.0, 0.3, 0.85, 1.0])
def test_the_costs_of_the_f1_margin_order_labellings_by_their_distance_from_that_f1(f1):
    cost = Cost.from_params(Params(f1_margin(f1)["cost"]))
    torch.manual_seed(1)
    positions = Independent(torch.zeros(1, 9, 4, dtype=torch.float64), torch.ones(1, 9, dtype=torch.bool), 0)
    for _ in range(50):
        gold, labels = torch.randint(4, (2, 1, 9))
        right = ((gold == labels) & (gold > 0)).sum()
        wanted, predicted = (gold > 0).sum(), (labels > 0).sum()
        expected = (2 - 2 * f1) * wanted - (2 * right - f1 * (wanted + predicted))
        assert cost.between(positions, gold, labels).item() == pytest.approx(expected.item())


@pytest.mark.parametrize("f1", [-0.1, 85])
def test_an_f1_that_is_not_a_share_is_refused(f1):
    with pytest.raises(RuntimeError, match="use.f1_margin: f1 is .*Set it to a number from 0 to 1"):
        f1_margin(f1)


def f1_margin(f1):
    return json.loads(evaluate_snippet("part", f"(import 'ner_zoo/use.libsonnet').f1_margin({f1}).loss"))
