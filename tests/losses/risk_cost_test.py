"""Sentence-level F1 on tensors agrees with the metrics on decoded sentences."""

import itertools

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.annotation import Entity, Relation
from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses.risk_cost import entity_f1, f1, relation_f1
from ner_zoo.metrics.entity_f1 import EntityF1
from ner_zoo.metrics.relation_f1 import RelationF1
from ner_zoo.structures import Independent
from ner_zoo.structures.joint import Joint, JointLabels
from tests.labels.decoding import entities_of as decoded
from tests.labels.decoding import relations_from_pairs

TABLE = TagLabels.of(["O", "U-PER", "B-PER", "L-PER", "U-LOC", "B-LOC", "L-LOC"])
LABELS = ["NONE", "near-->", "near<--", "knows-->", "knows<--"]
BATCH, POSITIONS, N = 6, 7, 4


def entities_of(tags, length):
    return decoded(TABLE, tags[None, :length], torch.ones(1, length, dtype=torch.bool))[0]


def drawn(seed):
    """A batch of gold sentences and N taggings of each with labelled pairs, similar to gold so that many are right."""
    torch.manual_seed(seed)
    mask = torch.arange(POSITIONS) < torch.randint(1, POSITIONS + 1, (BATCH, 1))
    gold_tags = torch.randint(len(TABLE.names), (BATCH, POSITIONS)).masked_fill(torch.rand(BATCH, POSITIONS) < 0.5, 0)
    entities = [entities_of(gold_tags[b], int(mask[b].sum())) for b in range(BATCH)]
    most = max(map(len, entities))
    spans = torch.full((BATCH, most, 2), -1)
    relations = torch.zeros(BATCH, most, most, dtype=torch.long)
    for b, row in enumerate(entities):
        for i, entity in enumerate(row):
            spans[b, i] = torch.tensor([entity.start, entity.end])
        for i, j in itertools.combinations(range(len(row)), 2):
            relations[b, i, j] = int(torch.randint(len(LABELS), ()))
    change = torch.rand(N, BATCH, POSITIONS) < 0.25
    tags = torch.where(change, torch.randint(len(TABLE.names), change.shape), gold_tags)
    joint = Joint(Independent(torch.zeros(BATCH, POSITIONS, len(TABLE.names)), mask), no_scores, TABLE.rules, 0)
    return JointLabels(gold_tags, spans, relations), tags, joint, entities


def no_scores(tags, chunks, pairs):
    return torch.zeros(len(pairs.first), len(LABELS))


def one_sentence(metric, predicted, gold):
    """The F1 of one sentence, which is 1 if there is nothing and nothing is found."""
    metric([predicted], [gold])
    figure = metric.get_metric(reset=True)[f"{metric.prefix}_f1"]
    return figure if predicted or gold else 1.0


@pytest.mark.parametrize("seed", range(12))
def test_it_equals_the_metrics_on_random_structures(seed):
    gold, tags, joint, gold_entities = drawn(seed)
    found = joint.given(tags)
    wanted = gold.of_pairs(found.chunks, found.pairs, 0)
    labels = torch.where(torch.rand(wanted.shape) < 0.6, wanted, torch.randint(len(LABELS), wanted.shape))
    entity = entity_f1(found.chunks, gold.tags, joint.mask, joint.rules, N * BATCH)
    relation = relation_f1(found, labels, gold, joint.mask, joint.rules, 0)
    for row in range(N * BATCH):
        b = row % BATCH
        predicted = entities_of(tags[row // BATCH, b], int(joint.mask[b].sum()))
        numbers = dict(enumerate(itertools.combinations(range(len(predicted)), 2)))
        pairs = {numbers[i]: LABELS[label] for i, label in enumerate(labels[found.row == row].tolist())}
        of_gold = {
            (i, j): LABELS[gold.relations[b, i, j]] for i, j in itertools.combinations(range(len(gold_entities[b])), 2)
        }
        assert_close(float(entity[row]), one_sentence(EntityF1(), predicted, gold_entities[b]))
        related = relations_from_pairs(predicted, pairs), relations_from_pairs(gold_entities[b], of_gold)
        assert_close(float(relation[row]), one_sentence(RelationF1(), *related))


def test_nothing_gold_and_nothing_predicted_is_perfect_and_anything_else_is_not():
    right, predicted, gold = torch.tensor([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    assert f1(right, predicted, gold).tolist() == [1.0, 0.0, 0.0]


def test_a_relation_of_a_wrongly_typed_entity_is_wrong_and_its_gold_relation_missed():
    gold = JointLabels(torch.tensor([[1, 0, 4]]), torch.tensor([[[0, 1], [2, 3]]]), torch.tensor([[[0, 1], [0, 0]]]))
    joint = Joint(Independent(torch.zeros(1, 3, 7), torch.ones(1, 3, dtype=torch.bool)), no_scores, TABLE.rules, 0)
    found = joint.given(torch.tensor([[[1, 0, 4]], [[4, 0, 4]]]))
    assert relation_f1(found, torch.tensor([1, 1]), gold, joint.mask, joint.rules, 0).tolist() == [1.0, 0.0]
    here, there = Entity.of("PER", 0, 1), Entity.of("LOC", 2, 3)
    assert (
        one_sentence(RelationF1(), [Relation("near", Entity.of("LOC", 0, 1), there)], [Relation("near", here, there)])
        == 0
    )
