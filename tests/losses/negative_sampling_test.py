import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses import NegativeLogLikelihood
from ner_zoo.losses.negative_sampling import NegativeSampling, select
from ner_zoo.losses.nrces import Nrces
from ner_zoo.losses.positive_unlabelled import PositiveUnlabelled
from ner_zoo.losses.weighted_negative_sampling import WeightedNegativeSampling
from ner_zoo.structures import LinearChain
from ner_zoo.structures.labelled_spans import LabelledSpans

BOTH = [NegativeSampling, WeightedNegativeSampling]


def spans(lengths=(20, 5), positions=(60, 12), labels=3, seed=0):
    torch.manual_seed(seed)
    scores = torch.randn(len(lengths), max(positions), labels, dtype=torch.float64, requires_grad=True)
    mask = torch.arange(max(positions)) < torch.tensor(positions).unsqueeze(1)
    return scores, LabelledSpans(scores, mask, torch.tensor(lengths), torch.zeros(*mask.shape, 1, 2).long(), 0)


def gold(batch=2, positions=60):
    labels = torch.zeros(batch, positions, dtype=torch.long)
    labels[0, 3], labels[0, 40], labels[1, 2] = 1, 2, 1
    return labels


def counted(loss, epoch=0, batch=0):
    scores, structure = spans()
    loss.set_time(epoch, batch)
    value = loss(structure, gold())
    value.backward()
    return value.detach(), scores.grad.abs().sum(2) > 0


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("rate", [0.0, 0.35, 0.7])
def test_the_entities_and_a_number_of_others_by_the_length_of_the_sentence_count(kind, rate):
    _, kept = counted(kind(rate))
    assert kept[gold() > 0].all()
    assert (kept & (gold() == 0)).sum(1).tolist() == [int(rate * 20) + 1, int(rate * 5) + 1]


@pytest.mark.parametrize("kind", BOTH)
def test_the_loss_is_the_mean_of_cross_entropy_over_the_spans_that_count(kind):
    value, kept = counted(kind(0.35))
    scores, _ = spans()
    every = torch.nn.functional.cross_entropy(scores.transpose(1, 2), gold(), reduction="none")
    assert_close(value, every[kept].mean().detach())


def test_more_spans_may_be_requested_than_there_are():
    _, kept = counted(NegativeSampling(100.0))
    assert kept.sum(1).tolist() == [60, 12]


@pytest.mark.parametrize("kind", BOTH)
def test_each_step_draws_anew_and_a_repeated_step_the_same(kind):
    first, again, next_batch, next_epoch = (counted(kind(), *step)[1] for step in [(0, 0), (0, 0), (0, 1), (1, 0)])
    assert torch.equal(first, again) and not torch.equal(first, next_batch) and not torch.equal(first, next_epoch)


def test_uniform_sampling_draws_every_span_equally_often():
    times = sum(counted(NegativeSampling(0.35), 0, step)[1].long() for step in range(400))
    others = times[0][gold()[0] == 0].float()
    # 8 of 58 in each of 400 draws: 55 times, with a standard deviation of 7.
    assert abs(others.mean() - 55.2) < 1 and others.min() > 25 and others.max() < 90


def test_it_wraps_any_loss_over_spans():
    loss = NegativeSampling(0.35, Nrces(keep=1.0, w=1.0))
    for part in (loss, loss.loss):
        part.set_time(2, 0)
    _, structure = spans()
    plain = NegativeSampling(0.35)
    plain.set_time(2, 0)
    assert loss(structure, gold()) < plain(structure, gold())


@pytest.mark.parametrize("inner", [PositiveUnlabelled, NegativeSampling, WeightedNegativeSampling])
def test_a_loss_over_all_spans_together_is_refused_with_the_reason(inner):
    with pytest.raises(ConfigurationError, match="sum over spans"):
        NegativeSampling(loss=inner())


def test_in_evaluation_every_span_counts():
    _scores, structure = spans()
    loss = NegativeSampling(0.1).eval()
    assert_close(loss(structure, gold()) * 36, NegativeLogLikelihood()(structure, gold()))


def test_positions_that_are_kept_move_together():
    _, structure = spans((2,), (4,))
    part, labels = select(structure, torch.tensor([[0, 1, 2, 0]]), torch.tensor([[False, True, False, True]]))
    assert labels.tolist() == [[1, 0]] and torch.equal(part.scores, structure.scores[:, [1, 3]])
    assert part.mask.all() and part.background == 0


def test_a_sentence_without_spans_costs_nothing():
    loss = NegativeSampling()
    loss.set_time(0, 0)
    empty = LabelledSpans(
        torch.zeros(2, 0, 3),
        torch.zeros(2, 0, dtype=torch.bool),
        torch.zeros(2, dtype=torch.long),
        torch.zeros(2, 0, 1, 2).long(),
        0,
    )
    assert loss(empty, torch.zeros(2, 0, dtype=torch.long)) == 0


@pytest.mark.parametrize("kind", BOTH)
def test_a_chain_is_refused_with_advice(kind):
    chain = LinearChain(torch.zeros(1, 2, 3), torch.zeros(3, 3), torch.ones(1, 2, dtype=torch.bool))
    with pytest.raises(ConfigurationError, match="softmax"):
        kind()(chain, torch.zeros(1, 2, dtype=torch.long))


@pytest.mark.parametrize("make", [lambda: NegativeSampling(-1.0), lambda: WeightedNegativeSampling(temperature=0.0)])
def test_invalid_options_are_refused(make):
    with pytest.raises(ConfigurationError):
        make()
