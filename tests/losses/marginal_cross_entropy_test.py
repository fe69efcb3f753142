"""Cross-entropy between marginals, against all labellings written out."""

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.losses.marginal_cross_entropy import marginal_cross_entropy
from tests.losses.enumerated_hinge import GOLD, STRUCTURES, padded, random_structure
from tests.structures.enumeration import probabilities


@pytest.fixture(params=STRUCTURES)
def structure(request):
    return random_structure(request.param)


def teacher(structure):
    """Marginals of another structure of the same kind."""
    torch.manual_seed(7)
    return structure.plus(torch.randn_like(structure.scores)).marginals().detach()


def test_it_is_the_cross_entropy_of_the_marginals_at_each_position(structure):
    wanted, expected = teacher(structure), []
    for sentence, gold in enumerate(GOLD):
        every, total = probabilities(structure, sentence), torch.zeros((), dtype=torch.float64)
        for position in range(len(gold)):
            for label in range(structure.scores.shape[2]):
                p = sum(share for labels, share in every.items() if labels[position] == label)
                if p > 0:
                    total -= wanted[sentence, position, label] * torch.tensor(p).double().log()
        expected.append(total)
    assert_close(marginal_cross_entropy(structure, wanted), torch.stack(expected), rtol=1e-5, atol=1e-6)


def test_its_gradient_is_right(structure):
    wanted, move = teacher(structure), torch.zeros_like(structure.scores, requires_grad=True)
    assert torch.autograd.gradcheck(lambda scores: marginal_cross_entropy(structure.plus(scores), wanted), move)


def test_it_is_least_where_both_agree(structure):
    own = structure.marginals().detach()
    move = torch.zeros_like(structure.scores, requires_grad=True)
    marginal_cross_entropy(structure.plus(move), own).sum().backward()
    assert_close(move.grad, torch.zeros_like(move), atol=1e-6, rtol=0)
    other = marginal_cross_entropy(structure, own) - marginal_cross_entropy(structure.plus(torch.randn(4)), own)
    assert (other <= 1e-9).all()


def test_certain_gold_labels_and_independent_positions_give_the_likelihood():
    structure = random_structure("independent 0")
    gold = padded(GOLD)
    wanted = torch.nn.functional.one_hot(gold, structure.scores.shape[2]).double()
    assert_close(marginal_cross_entropy(structure, wanted), -structure.log_likelihood(gold))
