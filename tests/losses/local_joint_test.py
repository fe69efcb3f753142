"""The local loss is the loss of tokens plus that of candidate pairs, from gold and predicted entities."""

import itertools

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses import NegativeLogLikelihood
from ner_zoo.losses.local_joint import LocalJointLoss
from ner_zoo.losses.partial_likelihood import PartialLikelihood
from ner_zoo.structures import Independent
from ner_zoo.structures.joint import Joint, JointLabels
from ner_zoo.structures.structure import UNKNOWN

TABLE = TagLabels.of(["O", "U-PER", "U-LOC"])
GOLD = torch.tensor([[1, 0, 2, 0], [0, 2, 0, 0]])
MASK = torch.tensor([[True, True, True, True], [True, True, False, False]])


class Scorer:
    def __init__(self):
        torch.manual_seed(2)
        self.weights = torch.randn(4, 4, 3, dtype=torch.float64, requires_grad=True)

    def __call__(self, tags, chunks, pairs):
        return self.weights[chunks.first[pairs.first], chunks.first[pairs.second]]


def joint_of(predicted):
    """A model that predicts these tags."""
    torch.manual_seed(1)
    scores = torch.rand(2, 4, 3, dtype=torch.float64) + 3 * torch.nn.functional.one_hot(predicted, 3)
    return Joint(Independent(scores.requires_grad_(), MASK, 0), Scorer(), TABLE.rules, 0)


def gold_labels(tags=GOLD):
    spans = torch.tensor([[[0, 1], [2, 3]], [[1, 2], [-1, -1]]])
    relations = torch.zeros(2, 2, 2, dtype=torch.long)
    relations[0, 0, 1] = 2
    return JointLabels(tags, spans, relations)


def make(average="positions", weight=1.0):
    return LocalJointLoss(NegativeLogLikelihood(), NegativeLogLikelihood(), weight, average)


@pytest.mark.parametrize("average", ["positions", "sentences"])
def test_it_is_entities_plus_relations_by_hand(average):
    # In the first sentence an additional entity is predicted; in the second the only one is not found.
    joint = joint_of(torch.tensor([[1, 0, 2, 1], [0, 0, 0, 0]]))
    found = make(average, weight=0.7)(joint, gold_labels())
    tokens = joint.entities.scores.log_softmax(2).gather(2, GOLD.unsqueeze(2)).squeeze(2) * MASK
    labels = joint.score_pairs.weights.log_softmax(2)
    pairs = labels[0, 2, 2] + labels[0, 3, 0] + labels[2, 3, 0]
    lengths, number = (torch.tensor([4, 2]), 3) if average == "positions" else (torch.tensor([1, 1]), 1)
    assert_close(found, -(tokens.sum(1) / lengths).mean() - 0.7 * (pairs / number) / 2)


def test_gold_pairs_are_candidates_when_nothing_is_predicted():
    joint = joint_of(torch.zeros(2, 4, dtype=torch.long))
    make()(joint, gold_labels()).backward()
    touched = [(i, j) for i, j in itertools.product(range(4), repeat=2) if joint.score_pairs.weights.grad[i, j].any()]
    assert touched == [(0, 2)]


def test_a_pair_with_an_entity_on_words_without_a_known_tag_is_left_out():
    # The last token of the first sentence may or may not be an entity, related or not; the model predicts one there.
    joint = joint_of(torch.tensor([[1, 1, 2, 1], [0, 0, 0, 0]]))
    tags = GOLD.clone()
    tags[0, 3] = UNKNOWN
    loss = LocalJointLoss(PartialLikelihood(), NegativeLogLikelihood())
    loss(joint, gold_labels(tags)).backward()
    touched = [(i, j) for i, j in itertools.product(range(4), repeat=2) if joint.score_pairs.weights.grad[i, j].any()]
    assert touched == [(0, 1), (0, 2), (1, 2)]


def test_evaluation_looks_at_predicted_pairs_only():
    joint = joint_of(torch.tensor([[0, 1, 1, 0], [0, 0, 0, 0]]))
    make().eval()(joint, gold_labels()).backward()
    touched = [(i, j) for i, j in itertools.product(range(4), repeat=2) if joint.score_pairs.weights.grad[i, j].any()]
    assert touched == [(1, 2)]


def test_tokens_have_the_gold_tag_with_the_given_probability_and_the_predicted_one_else():
    loss, predicted = make(), torch.tensor([[2, 1, 0, 1], [1, 1, 0, 0]])
    joint = joint_of(predicted)
    loss.gold_probability = 0.3
    mixed = torch.stack([loss.candidates(joint, gold_labels())[0] for _ in range(2000)])
    assert ((mixed == GOLD) | (mixed == predicted))[:, MASK].all()
    assert_close((mixed == GOLD)[:, MASK].double().mean(), torch.tensor(0.3, dtype=torch.float64), atol=0.02, rtol=0)
    for probability, expected in ((0.0, predicted), (1.0, GOLD)):
        loss.gold_probability = probability
        assert torch.equal(loss.candidates(joint, gold_labels())[0][MASK], expected[MASK])
        assert torch.equal(loss.candidates(joint, gold_labels())[1][MASK], GOLD[MASK])


def test_a_batch_without_pairs_still_touches_the_relations():
    nothing = torch.zeros(2, 4, dtype=torch.long)
    joint = joint_of(nothing)
    empty = torch.zeros(2, 0, 0, dtype=torch.long)
    loss = make()(joint, JointLabels(nothing, torch.zeros(2, 0, 2, dtype=torch.long), empty))
    loss.backward()
    assert loss.isfinite() and joint.score_pairs.weights.grad is not None


def test_an_unknown_average_is_refused():
    with pytest.raises(ConfigurationError, match="Use one of positions, sentences"):
        make("tokens")
