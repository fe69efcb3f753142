"""The joint distribution is the product of its parts, and the taggings of a sentence share common pairs."""

from collections import Counter

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures import Independent
from ner_zoo.structures.joint import Joint, JointLabels
from ner_zoo.structures.structure import UNKNOWN
from ner_zoo.structures.taggings import log_probabilities
from tests.structures.enumeration import random_mask

TABLE = TagLabels.of(["O", "U-PER", "U-LOC", "B-LOC", "L-LOC"])
NONE, LABELS = 0, 3
# Lengths of the sentences, including a single token.
LENGTHS = (4, 1, 5, 3)


class Scorer:
    """Scores that depend on a pair's position and on each tag between its entities; counts its calls."""

    def __init__(self, batch):
        torch.manual_seed(1)
        self.batch = batch
        self.weights = torch.randn(len(TABLE.names), 8, LABELS, dtype=torch.float64, requires_grad=True)
        self.scored = 0

    def __call__(self, tags, chunks, pairs):
        self.scored += len(pairs.first)
        row, start, end = chunks.sentence[pairs.first], chunks.first[pairs.first], chunks.last[pairs.second]
        position = torch.arange(tags.shape[2])
        inside = (position >= start.unsqueeze(1)) & (position < end.unsqueeze(1))  # (pairs, positions)
        each = self.weights[tags.flatten(0, 1)[row], position]  # (pairs, positions, labels)
        return (each * inside.unsqueeze(2)).sum(1) + (row % self.batch).unsqueeze(1)


def random_joint(lengths=LENGTHS, seed=0):
    torch.manual_seed(seed)
    mask = random_mask(lengths, max(lengths))
    scores = torch.randn(len(lengths), max(lengths), len(TABLE.names), dtype=torch.float64)
    return Joint(Independent(scores, mask, 0), Scorer(len(lengths)), TABLE.rules, NONE)


def joint_log_probability(joint, tags, relations, labels):
    """Of taggings `(n, batch, positions)` and of labels of their pairs: `(n, batch)`."""
    return log_probabilities(joint.entities, tags) + relations.log_probability(labels).view(tags.shape[:2])


def random_taggings(joint, n):
    """Taggings that agree in many places."""
    one = joint.entities.sample(1)
    return torch.where(torch.rand(n, *joint.mask.shape) < 0.2, joint.entities.sample(n), one)


def test_relations_of_many_taggings_are_those_of_each_by_itself():
    joint = random_joint()
    tags = random_taggings(joint, 6)
    together = joint.given(tags)
    alone = [joint.given(tags[i : i + 1]) for i in range(6)]
    assert_close(together.probabilities(), torch.cat([relations.probabilities() for relations in alone]))
    assert together.best().tolist() == torch.cat([relations.best() for relations in alone]).tolist()
    assert together.row.tolist() == [i * len(LENGTHS) + row for i, r in enumerate(alone) for row in r.row.tolist()]


def test_a_pair_that_several_taggings_have_is_scored_once():
    joint = random_joint()
    tags = joint.entities.sample(1).repeat(5, 1, 1)
    relations = joint.given(tags)
    assert joint.score_pairs.scored == len(relations.pairs.first) // 5 == len(relations.distinct)


def test_the_log_probability_of_labels_is_the_sum_over_the_pairs_of_a_row():
    joint = random_joint()
    relations = joint.given(random_taggings(joint, 3))
    labels = torch.randint(LABELS, relations.row.shape)
    expected = torch.zeros(relations.rows, dtype=torch.float64)
    for pair, row in enumerate(relations.row.tolist()):
        expected[row] += relations.probabilities()[pair, labels[pair]].log()
    assert_close(relations.log_probability(labels), expected)


def test_entropy_is_that_of_the_tagging_and_of_the_relations_of_the_best_one():
    joint = random_joint((3,))
    tags = joint.entities.best().unsqueeze(0)
    labels = joint.given(tags).probabilities()
    every = torch.cartesian_prod(*[torch.arange(LABELS)] * len(labels)).view(-1, len(labels))
    together = torch.stack([labels.gather(1, row.unsqueeze(1)).prod() for row in every])
    assert len(labels) > 0
    assert_close(joint.entropy(), joint.entities.entropy() + torch.special.entr(together).sum())


def test_the_joint_probabilities_of_all_outputs_of_a_sentence_sum_to_one():
    joint = random_joint((2,))
    every = torch.cartesian_prod(*[torch.arange(len(TABLE.names))] * 2).unsqueeze(1)  # (taggings, 1, 2)
    relations = joint.given(every)
    assert relations.row.bincount().max() == 1
    total = 0.0
    for label in range(LABELS):
        labels = torch.full_like(relations.row, label)
        probability = joint_log_probability(joint, every, relations, labels).exp().squeeze(1)
        has_pair = torch.zeros(relations.rows, dtype=torch.bool)
        has_pair[relations.row] = True
        # A tagging without a pair has one output, however many labels there are.
        total += probability[has_pair].sum() + probability[~has_pair].sum() / LABELS
    assert_close(total, torch.tensor(1.0, dtype=torch.float64))


def test_samples_come_with_the_frequency_of_their_joint_probability():
    joint = random_joint((2,), seed=2)
    n = 5000
    tags = joint.entities.sample(n)
    relations = joint.given(tags)
    labels = relations.sample()
    label_of_row = dict(zip(relations.row.tolist(), labels.tolist()))
    seen = Counter((tuple(tags[i, 0].tolist()), label_of_row.get(i)) for i in range(n))
    probability = joint_log_probability(joint, tags, relations, labels).detach().exp().squeeze(1)
    for i in range(n):
        count = seen[tuple(tags[i, 0].tolist()), label_of_row.get(i)]
        p = float(probability[i])
        assert abs(count - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1


def test_best_is_the_best_tagging_with_the_best_labels_given_it():
    joint = random_joint()
    tags, relations = joint.best()
    assert torch.equal(tags, joint.entities.best())
    assert torch.equal(relations.best(), relations.probabilities().argmax(1))


@pytest.mark.parametrize("tags", [[[0, 0, 0]], [[0, 1, 0]]], ids=["no entity", "one entity"])
def test_without_pairs_there_is_nothing_to_label_but_every_parameter_has_a_gradient(tags):
    joint = random_joint((3,))
    relations = joint.given(torch.tensor([tags]))
    assert relations.best().tolist() == relations.sample().tolist() == []
    relations.log_probability(relations.best()).sum().backward()
    assert torch.equal(joint.score_pairs.weights.grad, torch.zeros_like(joint.score_pairs.weights))


def test_gold_labels_of_pairs_are_found_by_their_spans():
    # U-PER O B-LOC L-LOC U-PER: the third entity is related to the first, in reverse direction.
    tags = torch.tensor([[1, 0, 3, 4, 1], [0, 0, 0, 0, 0]])
    spans = torch.tensor([[[0, 1], [2, 4], [4, 5]], [[-1, -1], [-1, -1], [-1, -1]]])
    relations = torch.zeros(2, 3, 3, dtype=torch.long)
    relations[0, 0, 2], relations[0, 0, 1] = 2, 1
    gold = JointLabels(tags, spans, relations)
    joint = Joint(Independent(torch.zeros(2, 5, 5), torch.ones(2, 5, dtype=torch.bool)), Scorer(2), TABLE.rules, NONE)
    # In the second tagging, the first entity has another type and the second other boundaries.
    taggings = torch.stack([tags, torch.tensor([[2, 0, 3, 0, 1], [1, 0, 1, 0, 0]])])
    found = joint.given(taggings)
    labels = gold.of_pairs(found.chunks, found.pairs, NONE)
    assert labels.tolist() == [1, 2, 0, 0, 2, 0, 0]


def test_chunks_are_checked_for_unknown_tags_in_every_tagging():
    tags = torch.tensor([[1, UNKNOWN, 3, 4, 1], [0, 0, UNKNOWN, 0, 0]])
    empty = torch.zeros(2, 0, 0, dtype=torch.long)
    gold = JointLabels(tags, empty.view(2, 0, 1).expand(2, 0, 2), empty)
    joint = Joint(Independent(torch.zeros(2, 5, 5), torch.ones(2, 5, dtype=torch.bool)), Scorer(2), TABLE.rules, NONE)
    taggings = torch.tensor([[[1, 1, 3, 4, 0], [0, 3, 4, 1, 0]], [[3, 4, 0, 0, 1], [1, 1, 0, 0, 0]]])
    found = gold.has_unknown_tags(joint.given(taggings).chunks)
    assert found.tolist() == [False, True, False, True, False, True, False, False, False]


def test_gold_without_any_entity_relates_nothing():
    joint = random_joint((3, 2))
    empty = torch.zeros(2, 0, 0, dtype=torch.long)
    gold = JointLabels(torch.zeros(2, 3, dtype=torch.long), empty.view(2, 0, 1).expand(2, 0, 2), empty)
    found = joint.given(torch.tensor([[[1, 2, 1], [1, 1, 0]]]))
    assert gold.of_pairs(found.chunks, found.pairs, NONE).tolist() == [0, 0, 0, 0]


def test_a_temperature_divides_the_scores_of_tags_and_of_pairs():
    joint = random_joint()
    tempered = joint.tempered(2.5)
    tags = random_taggings(joint, 3)
    assert_close(tempered.given(tags).distinct_scores, joint.given(tags).distinct_scores / 2.5)
    assert_close(tempered.entities.score(tags[0]), joint.entities.score(tags[0]) / 2.5)
    assert tempered.best()[0].tolist() == joint.best()[0].tolist()
    assert tempered.best()[1].best().tolist() == joint.best()[1].best().tolist()
    assert joint.tempered(1.0) is joint
