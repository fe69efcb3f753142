from math import inf

import pytest
import torch
from allennlp.modules import ConditionalRandomField
from allennlp.modules.conditional_random_field import allowed_transitions
from torch.testing import assert_close
from torchcrf import CRF

from ner_zoo.structures import ChainConstraints, Independent, LinearChain
from tests.structures.enumeration import BATCHES, random_chain, random_independent, random_mask, ranked, rows

TAGS = ["O", "B-X", "I-X", "L-X", "U-X", "B-Y", "L-Y", "I-Y", "U-Y"]


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("n", [1, 3, 200])
def test_n_best_are_the_best_of_all_labellings_and_minus_inf_beyond(batch, n):
    chain = random_chain(batch, seed=4)
    labels, log_probabilities = chain.n_best(n)
    scores = log_probabilities + chain.log_partition()
    assert labels.shape == (n, *chain.mask.shape)
    for sentence in range(len(chain.mask)):
        expected = ranked(chain, sentence)[:n]
        assert [rows(chain, way)[sentence] for way in labels[: len(expected)]] == [found for found, _ in expected]
        assert_close(scores[: len(expected), sentence].tolist(), [score for _, score in expected])
        assert (scores[len(expected) :, sentence] == -inf).all()


@pytest.mark.parametrize("batch", BATCHES)
def test_every_parameter_has_a_gradient_and_a_gradient_of_it(batch):
    chain = random_chain(batch)
    inputs = [part.requires_grad_() for part in (chain.scores, chain.transitions, chain.start, chain.end)]
    gold = chain.best()

    def loss(scores, transitions, start, end):
        again = LinearChain(scores, transitions, chain.mask, start, end, chain.constraints, 0, chain.allowed)
        return again.log_partition() - again.score(gold), again.marginals(), again.log_likelihood(gold)

    assert torch.autograd.gradcheck(loss, inputs)
    assert torch.autograd.gradgradcheck(lambda *parts: loss(*parts)[::2], inputs)


def test_gradients_reach_only_what_asks_for_them():
    chain = random_chain("both")
    chain.transitions.requires_grad_()
    (chain.log_partition() - chain.score(chain.best())).sum().backward()
    assert chain.transitions.grad.any()
    assert chain.scores.grad is None and chain.start.grad is None


def test_sentences_of_a_batch_may_weigh_differently_in_the_gradient():
    chain = random_chain("both")
    chain.transitions.requires_grad_()
    weights = torch.tensor([2.0, -1.0, 3.0, 0.0, 0.5], dtype=torch.float64)
    (together,) = torch.autograd.grad((weights * chain.log_partition()).sum(), chain.transitions)
    parts = [torch.autograd.grad(chain.log_partition()[at], chain.transitions)[0] for at in range(5)]
    assert_close(together, sum(weight * part for weight, part in zip(weights, parts)))


def test_scores_start_and_end_may_be_left_out():
    chain = random_chain("free")
    zero = torch.zeros(3, dtype=torch.float64)
    bare = LinearChain(chain.scores, chain.transitions, chain.mask)
    assert_close(
        bare.log_partition(), LinearChain(chain.scores, chain.transitions, chain.mask, zero, zero).log_partition()
    )


def test_a_mask_with_a_gap_is_refused():
    chain = random_chain("free")
    chain.mask = chain.mask.clone()
    chain.mask[1, 1] = False
    with pytest.raises(ValueError, match="sentence 1 .* has a gap"):
        chain.log_partition()


@pytest.mark.parametrize("shape", [(0, 4, 3), (2, 0, 3)])
def test_a_batch_without_sentences_or_positions_works(shape):
    scores = torch.zeros(shape, requires_grad=True)
    chain = LinearChain(scores, torch.zeros(3, 3), torch.zeros(shape[:2], dtype=torch.bool))
    chain.log_partition().sum().backward()
    assert not chain.log_partition().any() and not chain.max().any()
    assert chain.best().shape == shape[:2] and chain.sample(4).shape == (4, *shape[:2])
    assert chain.n_best(2)[0].shape == (2, *shape[:2]) and chain.marginals().shape == shape


def test_independent_positions_are_a_chain_without_transition_scores():
    independent = random_independent("restricted")
    chain = independent.as_chain()
    assert_close(chain.log_partition(), independent.log_partition())
    assert_close(chain.marginals(), independent.marginals())
    assert torch.equal(chain.best(), independent.best())
    assert isinstance(independent, Independent) and chain.background == independent.background


def real_batch():
    torch.manual_seed(3)
    mask = random_mask([7, 1, 4, 9], 9)
    legal_tags = torch.tensor([0, 4, 8])
    return torch.randn(4, 9, len(TAGS)), mask, legal_tags[torch.randint(3, mask.shape)] * mask


def test_loss_gradient_and_best_labelling_are_those_of_allennlp():
    scores, mask, gold = real_batch()
    labels = len(TAGS)
    pairs = allowed_transitions("BIOUL", dict(enumerate(TAGS)))
    theirs = ConditionalRandomField(labels, pairs)
    legal = torch.zeros(labels + 2, labels + 2, dtype=torch.bool)
    legal[tuple(zip(*pairs))] = True
    constraints = ChainConstraints(legal[:labels, :labels], legal[labels, :labels], legal[:labels, labels + 1])
    parts = [
        part.detach().clone().requires_grad_()
        for part in (theirs.transitions, theirs.start_transitions, theirs.end_transitions)
    ]
    ours = LinearChain(scores, parts[0], mask, parts[1], parts[2], constraints)
    # AllenNLP sums over illegal taggings too while training: its loss is compared with the chain without constraints.
    free = LinearChain(scores, parts[0], mask, parts[1], parts[2])
    likelihood = (free.score(gold) - free.log_partition()).sum()
    their_likelihood = theirs(scores, gold, mask)
    assert_close(likelihood, their_likelihood)
    their_likelihood.backward()
    likelihood.backward()
    assert_close(parts[0].grad, theirs.transitions.grad)
    assert_close(parts[1].grad, theirs.start_transitions.grad)
    assert_close(parts[2].grad, theirs.end_transitions.grad)
    for (tags, score), found, best in zip(theirs.viterbi_tags(scores, mask), rows(ours, ours.best()), ours.max()):
        assert tuple(tags) == found
        assert_close(best.item(), score, rtol=1e-4, atol=1e-4)


def test_loss_and_best_labelling_are_those_of_pytorch_crf():
    scores, mask, gold = real_batch()
    theirs = CRF(len(TAGS), batch_first=True)
    ours = LinearChain(scores, theirs.transitions, mask, theirs.start_transitions, theirs.end_transitions)
    assert_close((ours.score(gold) - ours.log_partition()).sum(), theirs(scores, gold, mask=mask))
    assert rows(ours, ours.best()) == [tuple(tags) for tags in theirs.decode(scores, mask)]


def test_constraints_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match="expected"):
        ChainConstraints(torch.ones(3, 2, dtype=torch.bool), torch.ones(3), torch.ones(3))
