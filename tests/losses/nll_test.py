import itertools

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.losses import NegativeLogLikelihood
from ner_zoo.structures import UNKNOWN, Independent, LinearChain


def chain(batch=2, length=3, labels=3):
    torch.manual_seed(0)
    scores = torch.randn(batch, length, labels, dtype=torch.float64, requires_grad=True)
    transitions = torch.randn(labels, labels, dtype=torch.float64, requires_grad=True)
    mask = torch.ones(batch, length, dtype=torch.bool)
    mask[1, 2:] = False
    return scores, transitions, mask


def test_the_loss_is_the_mean_of_minus_log_probabilities_over_every_labelling():
    scores, transitions, mask = chain()
    structure = LinearChain(scores, transitions, mask)
    gold = torch.tensor([[0, 1, 2], [2, 1, 0]])
    losses = []
    for sentence, length in enumerate(mask.sum(1).tolist()):

        def score(y, scores=scores[sentence]):
            local = sum(scores[t, label] for t, label in enumerate(y))
            return local + sum(transitions[a, b] for a, b in itertools.pairwise(y))

        every = torch.stack([score(y) for y in itertools.product(range(3), repeat=length)])
        losses.append(every.logsumexp(0) - score(gold[sentence, :length].tolist()))
    assert_close(NegativeLogLikelihood()(structure, gold), torch.stack(losses).mean())


def test_on_independent_positions_it_is_cross_entropy():
    scores, _, mask = chain()
    gold = torch.tensor([[0, 1, 2], [2, 1, 0]])
    by_position = torch.nn.functional.cross_entropy(scores.transpose(1, 2), gold, reduction="none")
    assert_close(NegativeLogLikelihood()(Independent(scores, mask), gold), (by_position * mask).sum(1).mean())


def test_its_gradient_is_right():
    scores, transitions, mask = chain()
    gold = torch.tensor([[0, 1, 2], [2, 1, 0]])
    loss = NegativeLogLikelihood()
    assert torch.autograd.gradcheck(lambda s, t: loss(LinearChain(s, t, mask), gold), (scores, transitions))


def test_training_on_positions_without_a_label_is_refused_with_advice():
    scores, transitions, mask = chain()
    gold = torch.tensor([[0, UNKNOWN, 2], [2, 1, 0]])
    with pytest.raises(ConfigurationError, match="1 of 2.*partial_likelihood"):
        NegativeLogLikelihood()(LinearChain(scores, transitions, mask), gold)


def test_in_evaluation_a_sentence_without_all_labels_leaves_the_loss():
    scores, transitions, mask = chain()
    gold = torch.tensor([[0, UNKNOWN, 2], [2, 1, 0]])
    structure = LinearChain(scores, transitions, mask)
    loss = NegativeLogLikelihood().eval()
    assert_close(loss(structure, gold), loss.per_sentence(structure, gold.clamp(min=0))[1])
