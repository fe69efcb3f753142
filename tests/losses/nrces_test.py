from math import exp, log

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses import NegativeLogLikelihood
from ner_zoo.losses.nrces import Nrces
from ner_zoo.structures import Independent, LinearChain

# One sentence of two spans over the labels O, A, B; O is 0.
SCORES = torch.tensor([[[2.0, 1.0, 0.0], [0.5, -0.5, 1.5]]], dtype=torch.float64)
GOLD = torch.tensor([[0, 2]])


def structure(scores=SCORES, lengths=(2,)):
    mask = torch.arange(scores.shape[1]) < torch.tensor(lengths).unsqueeze(1)
    return Independent(scores, mask, 0)


def nrces(epoch=0, **options):
    loss = Nrces(**{"keep": 1.0, **options})
    loss.set_time(epoch, 0)
    return loss


def by_hand(beta):
    """Cross entropy, and its mixture with the sigmoid, of the span labelled O and of the entity."""
    ce = [log(exp(2) + exp(1) + exp(0)) - 2, log(exp(0.5) + exp(-0.5) + exp(1.5)) - 1.5]
    sigmoid = [1 - 1 / (1 + exp(-2)), 1 - 1 / (1 + exp(-1.5))]
    return ce, [beta * c + (1 - beta) * s for c, s in zip(ce, sigmoid)]


@pytest.mark.parametrize("epoch, w", [(0, 5.0), (1, 5.0), (7, 2.0)])
@pytest.mark.parametrize(
    "on, expected",
    [
        (("entities", "background"), lambda ce, cs: cs[0] + ce[1]),
        (("all", "none"), lambda ce, cs: ce[0] + ce[1]),
        (("none", "all"), lambda ce, cs: cs[0] + cs[1]),
        (("entities", "all"), lambda ce, cs: cs[0] + ce[1] + cs[1]),
        (("all", "background"), lambda ce, cs: ce[0] + ce[1] + cs[0]),
    ],
    ids=["nrces", "without sigmoid", "without separate training", "without O indicator", "without entity indicator"],
)
def test_the_loss_and_each_of_its_ablations_have_their_values_by_hand(epoch, w, on, expected):
    loss = nrces(epoch, w=w, cross_entropy_on=on[0], robust_on=on[1])
    value = expected(*by_hand(exp(-epoch / w)))
    assert_close(loss(structure(), GOLD), torch.tensor(value, dtype=torch.float64))


def test_before_the_first_epoch_is_over_it_is_cross_entropy():
    assert_close(nrces(0)(structure(), GOLD), NegativeLogLikelihood()(structure(), GOLD))


@pytest.mark.parametrize("on", [("entities", "background"), ("none", "all")])
def test_its_gradient_is_right(on):
    torch.manual_seed(0)
    scores = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    gold = torch.tensor([[0, 1, 2, 0], [0, 0, 1, 0]])
    loss = nrces(3, cross_entropy_on=on[0], robust_on=on[1])
    assert torch.autograd.gradcheck(lambda s: loss(structure(s, (4, 3)), gold), scores)


def gradient_when_sure_of_an_entity(loss, confidence):
    """On an O span that the model predicts as A."""
    scores = torch.tensor([[[-confidence, confidence, 0.0]]], dtype=torch.float64, requires_grad=True)
    loss(structure(scores, (1,)), torch.tensor([[0]])).backward()
    return scores.grad.norm().item()


def test_a_confident_contradiction_of_an_o_label_pulls_ever_less_while_cross_entropy_pulls_with_full_force():
    late = nrces(1000, w=2.0)
    robust = [gradient_when_sure_of_an_entity(late, confidence) for confidence in (1.0, 4.0, 16.0)]
    plain = [gradient_when_sure_of_an_entity(NegativeLogLikelihood(), confidence) for confidence in (1.0, 4.0, 16.0)]
    assert robust[0] > robust[1] > robust[2] and robust[2] < 1e-6
    assert plain[0] < plain[1] < plain[2] and plain[2] > 1.4


def test_a_confident_mistake_on_an_entity_still_pulls_with_full_force():
    scores = torch.tensor([[[16.0, -16.0, 0.0]]], dtype=torch.float64, requires_grad=True)
    nrces(1000, w=2.0)(structure(scores, (1,)), torch.tensor([[1]])).backward()
    assert scores.grad.norm() > 1.4


def many_spans(epoch, batch, seed=1):
    """Which of 1000 O spans count, detected by their gradients; two entities come before them."""
    scores = torch.zeros(1, 1002, 3, dtype=torch.float64, requires_grad=True)
    gold = torch.tensor([[1, 2] + [0] * 1000])
    loss = Nrces(keep=0.5, seed=seed)
    loss.set_time(epoch, batch)
    loss(structure(scores, (1002,)), gold).backward()
    return scores.grad.abs().sum(2)[0] > 0


def test_about_half_of_the_o_spans_and_every_entity_count():
    counts = many_spans(0, 0)
    assert counts[:2].all() and 440 < counts[2:].sum() < 560


def test_the_draw_is_fresh_in_each_epoch_and_batch_and_the_same_when_repeated():
    first = many_spans(0, 0)
    assert torch.equal(first, many_spans(0, 0))
    assert not torch.equal(first, many_spans(1, 0))
    assert not torch.equal(first, many_spans(0, 1))
    assert not torch.equal(first, many_spans(0, 0, seed=2))


def test_in_evaluation_every_span_counts():
    loss = Nrces(keep=0.0).eval()
    assert_close(loss(structure(), GOLD), NegativeLogLikelihood()(structure(), GOLD))


def test_after_the_first_step_training_without_being_told_the_epoch_is_refused_with_advice():
    loss = Nrces(keep=1.0)
    assert_close(loss(structure(), GOLD), NegativeLogLikelihood()(structure(), GOLD))
    with pytest.raises(ConfigurationError, match="loss_schedule"):
        loss(structure(), GOLD)


def test_without_a_sigmoid_there_is_no_need_for_the_epoch():
    loss = Nrces(keep=1.0, cross_entropy_on="all", robust_on="none")
    assert_close(loss(structure(), GOLD), NegativeLogLikelihood()(structure(), GOLD))


def test_the_epoch_is_saved_with_the_weights():
    loss = nrces(6)
    copy = Nrces(keep=1.0)
    copy.load_state_dict(loss.state_dict())
    assert copy.eval().beta() == loss.beta() == exp(-6 / 5)


def test_a_chain_is_refused_with_advice():
    chain = LinearChain(SCORES, torch.zeros(3, 3, dtype=torch.float64), torch.ones(1, 2, dtype=torch.bool))
    with pytest.raises(ConfigurationError, match="softmax"):
        nrces()(chain, GOLD)


@pytest.mark.parametrize("options", [{"w": 0}, {"keep": 1.5}, {"robust_on": "everything"}])
def test_invalid_options_are_refused(options):
    with pytest.raises(ConfigurationError):
        Nrces(**options)
