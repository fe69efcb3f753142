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


def make(average="positions", weight=1.0, gold_pairs="all"):
    return LocalJointLoss(NegativeLogLikelihood(), NegativeLogLikelihood(), weight, average, gold_pairs)


def touched(joint):
    """The pairs of tokens whose scores got a gradient."""
    gradient = joint.score_pairs.weights.grad
    return [(i, j) for i, j in itertools.product(range(4), repeat=2) if gradient[i, j].any()]


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
    assert touched(joint) == [(0, 2)]


def test_a_pair_with_an_entity_on_words_without_a_known_tag_is_left_out():
    # The last token of the first sentence may or may not be an entity, related or not; the model predicts one there.
    joint = joint_of(torch.tensor([[1, 1, 2, 1], [0, 0, 0, 0]]))
    tags = GOLD.clone()
    tags[0, 3] = UNKNOWN
    loss = LocalJointLoss(PartialLikelihood(), NegativeLogLikelihood())
    loss(joint, gold_labels(tags)).backward()
    assert touched(joint) == [(0, 1), (0, 2), (1, 2)]


def test_evaluation_looks_at_predicted_pairs_only():
    joint = joint_of(torch.tensor([[0, 1, 1, 0], [0, 0, 0, 0]]))
    make().eval()(joint, gold_labels()).backward()
    assert touched(joint) == [(1, 2)]


def test_tokens_have_the_gold_tag_with_the_given_probability_and_the_predicted_one_else():
    loss, predicted = make(), torch.tensor([[2, 1, 0, 1], [1, 1, 0, 0]])
    joint = joint_of(predicted)
    loss.gold_probability = 0.3
    mixed = torch.stack([loss.mixed(joint, GOLD, MASK) for _ in range(2000)])
    assert ((mixed == GOLD) | (mixed == predicted))[:, MASK].all()
    assert_close((mixed == GOLD)[:, MASK].double().mean(), torch.tensor(0.3, dtype=torch.float64), atol=0.02, rtol=0)
    for probability, expected in ((0.0, predicted), (1.0, GOLD)):
        loss.gold_probability = probability
        assert torch.equal(loss.mixed(joint, GOLD, MASK)[MASK], expected[MASK])


class TagScorer(Scorer):
    """Scores depend on the tags of both entities as well."""

    def __call__(self, tags, chunks, pairs):
        sentence = chunks.sentence % tags.shape[1]
        seen = tags[0, sentence, chunks.first].double()
        factor = 1 + seen[pairs.first] + 10 * seen[pairs.second]
        return super().__call__(tags, chunks, pairs) * factor.unsqueeze(1)


THREE = torch.tensor([[1, 2, 1, 0], [0, 2, 0, 0]])


def three_entities(label=2):
    """The first sentence has the entities 0, 1 and 2; only 0 and 2 are related."""
    spans = torch.tensor([[[0, 1], [1, 2], [2, 3]], [[1, 2], [-1, -1], [-1, -1]]])
    relations = torch.zeros(2, 3, 3, dtype=torch.long)
    relations[0, 0, 2] = label
    return JointLabels(THREE, spans, relations)


@pytest.mark.parametrize(
    "gold_pairs, expected",
    [("all", [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]), ("related", [(0, 2), (0, 3), (2, 3)])],
)
def test_the_published_code_adds_only_the_related_pairs_of_gold_entities(gold_pairs, expected):
    joint = joint_of(torch.tensor([[1, 0, 1, 1], [0, 0, 0, 0]]))
    make(gold_pairs=gold_pairs)(joint, three_entities()).backward()
    assert touched(joint) == expected


@pytest.mark.parametrize("average", ["positions", "sentences"])
def test_a_related_pair_that_was_not_found_is_scored_with_the_tags_that_were(average):
    predicted = torch.tensor([[2, 1, 0, 0], [0, 0, 0, 0]])
    joint = joint_of(predicted)
    joint.score_pairs = TagScorer()
    loss = make(average, gold_pairs="related")
    found = loss(joint, three_entities()) - loss._entities(joint.entities, THREE)
    weights = joint.score_pairs.weights
    # The predicted pair (0, 1) of gold spans is unrelated; (0, 2) has the tags 2 and 0.
    pairs = (weights[0, 1] * 13).log_softmax(0)[0] + (weights[0, 2] * 3).log_softmax(0)[2]
    assert_close(found, -(pairs / (2 if average == "positions" else 1)) / 2)


def test_related_pairs_of_gold_entities_are_added_once_and_unknown_ones_never():
    joint = joint_of(THREE)
    assert_close(make(gold_pairs="related")(joint, three_entities()), make()(joint, three_entities()))
    joint = joint_of(torch.zeros(2, 4, dtype=torch.long))
    make(gold_pairs="related")(joint, three_entities(label=UNKNOWN)).backward()
    assert touched(joint) == []


@pytest.mark.parametrize("gold_pairs", ["all", "related"])
def test_a_batch_without_pairs_still_touches_the_relations(gold_pairs):
    nothing = torch.zeros(2, 4, dtype=torch.long)
    joint = joint_of(nothing)
    empty = torch.zeros(2, 0, 0, dtype=torch.long)
    labels = JointLabels(nothing, torch.zeros(2, 0, 2, dtype=torch.long), empty)
    loss = make(gold_pairs=gold_pairs)(joint, labels)
    loss.backward()
    assert loss.isfinite() and joint.score_pairs.weights.grad is not None


def test_an_unknown_average_is_refused():
    with pytest.raises(ConfigurationError, match="Use one of positions, sentences"):
        make("tokens")


def test_an_unknown_choice_of_gold_pairs_is_refused():
    with pytest.raises(ConfigurationError, match="Use one of all, related"):
        make(gold_pairs="some")
