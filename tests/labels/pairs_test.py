"""Relations between given entities: exactly those of the joint distribution, given their tagging."""

import itertools

import pytest
import torch
from torch.testing import assert_close

from ner_zoo.annotation import Entity
from ner_zoo.labels.pairs import PairLabels
from ner_zoo.labels.tags import TagLabels
from tests.structures.joint_test import LENGTHS, TABLE, random_joint

LABELS = PairLabels(TABLE, ["NONE", "likes-->", "likes<--"])


def taggings(length: int) -> list[tuple[list[int], list[Entity]]]:
    """Every way to mark `length` tokens with the tags of the table, as indices and as entities."""
    every = []
    for numbers in itertools.product(range(len(TABLE.names)), repeat=length):
        entities, position = [], 0
        names = [TABLE.names[number] for number in numbers]
        while position < length:
            width = 2 if names[position] == "B-LOC" else 1
            if names[position] == "L-LOC" or (width == 2 and names[position + 1 : position + 2] != ["L-LOC"]):
                break
            if names[position] != "O":
                entities.append(Entity.of(names[position][2:], position, position + width))
            position += width
        else:
            every.append((list(numbers), entities))
    return every


def test_every_choice_of_entities_gets_the_probabilities_of_its_tagging() -> None:
    length = 3
    joint = random_joint((length,))
    weights = joint.score_pairs.weights.detach()
    for numbers, entities in taggings(length):
        (prediction,) = LABELS.read_given(joint, [entities])
        assert prediction.entities == [(entity, 1.0) for entity in entities]
        expected = {}
        for first, second in itertools.combinations(entities, 2):
            position = range(first.start, second.end)
            scores = sum(weights[numbers[place], place] for place in position)
            probabilities = scores.softmax(0)
            if probabilities.argmax() != LABELS.none:
                forward = LABELS.pair_names[int(probabilities.argmax())].endswith("-->")
                expected[(first, second) if forward else (second, first)] = float(probabilities.max())
        found = {(relation.head, relation.tail): score for relation, score in prediction.relations}
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected)


def test_sentences_of_a_batch_without_given_entities_are_read_as_ever() -> None:
    joint = random_joint()
    given = [None, [Entity.of("PER", 0, 1)], None, [Entity.of("LOC", 0, 2), Entity.of("PER", 2, 3)]]
    alone = LABELS.read(joint)
    together = LABELS.read_given(joint, given)
    assert [together[row] for row in (0, 2)] == [alone[row] for row in (0, 2)]
    assert [[entity for entity, _ in together[row].entities] for row in (1, 3)] == [given[1], given[3]]
    assert len(LENGTHS) == len(given)


def test_what_was_best_is_best_again_if_it_is_given() -> None:
    joint = random_joint(seed=3)
    read = LABELS.read(joint)
    again = LABELS.read_given(joint, [[entity for entity, _ in one.entities] for one in read])
    for before, after in zip(read, again):
        assert [relation for relation, _ in before.relations] == [relation for relation, _ in after.relations]
        p = dict(before.entities)
        of_both = torch.tensor([score * p[relation.head] * p[relation.tail] for relation, score in after.relations])
        assert_close(of_both, torch.tensor([score for _, score in before.relations]))


def test_entities_that_the_tags_cannot_mark_are_found() -> None:
    wide, narrow = Entity.of("PER", 1, 3), Entity.of("PER", 0, 1)
    assert LABELS.first_unholdable([narrow, wide], 4) == wide  # the table has no B-PER
    assert LABELS.first_unholdable([narrow, Entity.of("LOC", 1, 3)], 4) is None
    melting = PairLabels(TagLabels.of(["O", "I-PER"], "IO"), ["NONE"])
    assert melting.first_unholdable([narrow, wide], 3) == narrow
    assert melting.first_unholdable([narrow, Entity.of("PER", 2, 3)], 3) is None
