import itertools

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses import NegativeLogLikelihood
from ner_zoo.losses.partial_likelihood import PartialLikelihood
from ner_zoo.structures import UNKNOWN, ChainConstraints, Independent, LinearChain

LENGTHS = (4, 2, 3)
ALL = torch.tensor([[0, 1, 2, 0], [2, 0, 0, 0], [1, 1, 0, 0]])
SOME = torch.tensor([[0, UNKNOWN, UNKNOWN, 0], [2, 0, 0, 0], [UNKNOWN, UNKNOWN, UNKNOWN, 0]])


def mask():
    return torch.arange(4) < torch.tensor(LENGTHS).unsqueeze(1)


def parameters():
    torch.manual_seed(3)
    scores = torch.randn(3, 4, 3, dtype=torch.float64, requires_grad=True)
    return scores, torch.randn(3, 3, dtype=torch.float64, requires_grad=True)


def chain(scores, transitions, legal=True):
    steps = torch.ones(3, 3, dtype=torch.bool)
    steps[0, 2] = legal
    every = torch.ones(3, dtype=torch.bool)
    return LinearChain(scores, transitions, mask(), constraints=ChainConstraints(steps, every, every), background=0)


def enumerated(scores, transitions, gold, weight, legal=True):
    """The loss by its definition. `weight` is q of a label at an unknown position."""
    losses = []
    for sentence, length in enumerate(LENGTHS):
        everything, allowed = [], []
        for y in itertools.product(range(3), repeat=length):
            if not legal and any(step == (0, 2) for step in itertools.pairwise(y)):
                continue
            total = sum(scores[sentence, t, label] for t, label in enumerate(y))
            total = total + sum(transitions[a, b] for a, b in itertools.pairwise(y))
            everything.append(total)
            wanted = gold[sentence, :length].tolist()
            if all(g in (UNKNOWN, label) for g, label in zip(wanted, y)):
                unknown = [label for g, label in zip(wanted, y) if g == UNKNOWN]
                allowed.append(total + torch.tensor([weight(label) for label in unknown]).log().sum())
        losses.append(torch.stack(everything).logsumexp(0) - torch.stack(allowed).logsumexp(0))
    return torch.stack(losses).mean()


@pytest.mark.parametrize("legal", [True, False])
def test_it_sums_over_every_tagging_that_the_annotation_allows(legal):
    scores, transitions = parameters()
    expected = enumerated(scores, transitions, SOME, lambda label: 1.0, legal)
    assert_close(PartialLikelihood()(chain(scores, transitions, legal), SOME), expected)


def test_a_prior_for_o_weighs_the_taggings_that_are_summed_over():
    scores, transitions = parameters()
    expected = enumerated(scores, transitions, SOME, lambda label: 0.9 if label == 0 else 0.05)
    loss = PartialLikelihood(background_weight=0.9)(chain(scores, transitions), SOME)
    assert_close(loss, expected, check_dtype=False)


@pytest.mark.parametrize("options", [{}, {"background_weight": 0.9}, {"self_weight": 1.0}])
def test_with_everything_annotated_it_is_the_likelihood(options):
    structure = chain(*parameters())
    assert_close(PartialLikelihood(**options)(structure, ALL), NegativeLogLikelihood()(structure, ALL))


def test_with_nothing_annotated_the_plain_form_asks_for_nothing():
    structure = chain(*parameters())
    assert_close(PartialLikelihood()(structure, torch.full((3, 4), UNKNOWN)), torch.tensor(0.0, dtype=torch.float64))


def test_on_independent_positions_unknown_ones_do_not_count():
    scores, _ = parameters()
    every = torch.nn.functional.cross_entropy(scores.transpose(1, 2), ALL, reduction="none")
    expected = every.masked_fill(~mask() | (SOME == UNKNOWN), 0.0).sum(1).mean()
    assert_close(PartialLikelihood()(Independent(scores, mask(), 0), SOME), expected)


def test_what_the_model_believes_of_an_unknown_position_grows_stronger():
    scores = torch.tensor([[[0.0, 1.0]]], requires_grad=True)
    structure = Independent(scores, torch.ones(1, 1, dtype=torch.bool), 0)
    PartialLikelihood(self_weight=1.0)(structure, torch.tensor([[UNKNOWN]])).backward()
    assert scores.grad[0, 0, 1] < 0 < scores.grad[0, 0, 0]


@pytest.mark.parametrize("options", [{}, {"background_weight": 0.8}])
def test_its_gradient_is_right(options):
    loss = PartialLikelihood(**options)
    assert torch.autograd.gradcheck(lambda s, t: loss(chain(s, t), SOME), parameters())


@pytest.mark.parametrize("options", [{"background_weight": 1.0}, {"self_weight": -1.0}])
def test_invalid_options_are_refused(options):
    with pytest.raises(ConfigurationError):
        PartialLikelihood(**options)
