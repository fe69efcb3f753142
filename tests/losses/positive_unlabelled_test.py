import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses.positive_unlabelled import PositiveUnlabelled
from ner_zoo.structures import Independent, LinearChain


def structure(probabilities):
    scores = torch.tensor(probabilities, dtype=torch.float64).log()
    return Independent(scores, torch.ones(scores.shape[:2], dtype=torch.bool), 0)


def test_the_risk_has_its_value_by_hand():
    # Labels O, A. The first span is an A, the others have no label.
    some = structure([[[0.3, 0.7], [0.9, 0.1], [0.6, 0.4]]])
    positive, unlabelled, negative_of_positive = 0.3, (0.1 + 0.4) / 2, 0.7
    expected = 2.0 * 0.25 * positive + unlabelled - 0.25 * negative_of_positive
    loss = PositiveUnlabelled(prior=0.25, weight=2.0)
    assert_close(loss(some, torch.tensor([[1, 0, 0]])), torch.tensor(expected, dtype=torch.float64))


def test_the_risk_on_negatives_does_not_fall_below_zero():
    some = structure([[[0.1, 0.9], [0.99, 0.01]]])
    loss = PositiveUnlabelled(prior=0.5, weight=1.0)
    assert_close(loss(some, torch.tensor([[1, 0]])), torch.tensor(0.5 * 0.1, dtype=torch.float64))


def test_sentences_are_estimated_together():
    one = structure([[[0.3, 0.7], [0.9, 0.1], [0.6, 0.4]]])
    two = structure([[[0.3, 0.7]], [[0.9, 0.1]], [[0.6, 0.4]]])
    loss = PositiveUnlabelled(prior=0.25)
    assert_close(loss(one, torch.tensor([[1, 0, 0]])), loss(two, torch.tensor([[1], [0], [0]])))


def test_a_batch_without_entities_or_without_others_is_not_an_error():
    some = structure([[[0.3, 0.7], [0.9, 0.1]]])
    for gold in ([[0, 0]], [[1, 1]]):
        assert torch.isfinite(PositiveUnlabelled()(some, torch.tensor(gold)))


def test_its_gradient_is_right():
    torch.manual_seed(0)
    scores = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    mask = torch.arange(4) < torch.tensor([[4], [2]])
    gold = torch.tensor([[0, 1, 2, 0], [0, 1, 0, 0]])
    loss = PositiveUnlabelled(prior=0.1)
    assert torch.autograd.gradcheck(lambda s: loss(Independent(s, mask, 0), gold), scores)


def test_labels_without_o_and_chains_are_refused():
    gold = torch.zeros(1, 2, dtype=torch.long)
    mask = torch.ones(1, 2, dtype=torch.bool)
    with pytest.raises(ConfigurationError, match="no O"):
        PositiveUnlabelled()(Independent(torch.zeros(1, 2, 3), mask), gold)
    with pytest.raises(ConfigurationError, match="softmax"):
        PositiveUnlabelled()(LinearChain(torch.zeros(1, 2, 3), torch.zeros(3, 3), mask), gold)


@pytest.mark.parametrize("options", [{"prior": 0.0}, {"weight": 0.0}])
def test_invalid_options_are_refused(options):
    with pytest.raises(ConfigurationError):
        PositiveUnlabelled(**options)
