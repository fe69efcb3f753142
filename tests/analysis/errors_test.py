"""Every annotation has one outcome, and the outcomes add up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.analysis.analysis import ENTITY_OUTCOMES, NONE, RELATION_OUTCOMES
from ner_zoo.analysis.errors import confusion, entity_outcomes, relation_outcomes, shared
from ner_zoo.annotation import Entity, Relation

ANN, BEA, CARL = Entity.of("PER", 0, 1), Entity.of("PER", 3, 5), Entity.of("PER", 7, 8)


def spans() -> st.SearchStrategy:
    return st.tuples(st.integers(0, 5), st.integers(1, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def entities() -> st.SearchStrategy:
    """Flat, nested, crossing and discontinuous entities of three types, in a sentence of a few tokens."""
    whole = st.builds(lambda type, span: Entity(type, (span,)), st.sampled_from("ABC"), spans())
    split = st.builds(
        lambda type, span: Entity(type, (span, (span[1] + 1, span[1] + 2))), st.sampled_from("ABC"), spans()
    )
    return st.one_of(whole, whole, split)


def many_entities() -> st.SearchStrategy:
    return st.lists(entities(), max_size=6)


def relations() -> st.SearchStrategy:
    return st.lists(st.builds(Relation, st.sampled_from("RS"), entities(), entities()), max_size=5)


def names(gold: list, predicted: list, outcomes=entity_outcomes) -> list[str]:
    return [one.name for one in outcomes(gold, predicted)]


@given(many_entities(), many_entities())
def test_each_gold_and_each_predicted_entity_has_exactly_one_outcome(gold, predicted):
    check_partition(entity_outcomes(gold, predicted), set(gold), set(predicted), ENTITY_OUTCOMES)


@given(relations(), relations())
def test_each_gold_and_each_predicted_relation_has_exactly_one_outcome(gold, predicted):
    check_partition(relation_outcomes(gold, predicted), set(gold), set(predicted), RELATION_OUTCOMES)


def check_partition(found, gold, predicted, outcomes):
    assert sorted(map(repr, (one.gold for one in found if one.gold))) == sorted(map(repr, gold))
    assert sorted(map(repr, (one.predicted for one in found if one.predicted))) == sorted(map(repr, predicted))
    of_gold = [sum(one.name == name and one.gold is not None for one in found) for name in outcomes]
    of_predicted = [sum(one.name == name and one.predicted is not None for one in found) for name in outcomes]
    assert sum(of_gold) == len(gold) and sum(of_predicted) == len(predicted)
    assert of_gold[0] == of_predicted[0] == len(gold & predicted)
    # Paired outcomes count on both sides, missed and spurious ones on one.
    assert of_gold[:4] == of_predicted[:4]
    assert of_gold[5] == of_predicted[4] == 0


@given(many_entities(), many_entities())
def test_the_confusion_matrix_sums_to_gold_and_predictions(gold, predicted):
    types, matrix = confusion(entity_outcomes(gold, predicted))
    assert types[-1] == NONE and matrix[-1, -1] == 0
    for number, type in enumerate(types[:-1]):
        assert matrix[number].sum() == len({one for one in gold if one.type == type})
        assert matrix[:, number].sum() == len({one for one in predicted if one.type == type})


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ([Entity.of("A", 1, 3)], [Entity.of("A", 1, 3)], ["correct"]),
        ([Entity.of("A", 1, 3)], [Entity.of("A", 2, 5)], ["boundary"]),
        ([Entity.of("A", 1, 3)], [Entity.of("B", 1, 3)], ["type"]),
        ([Entity.of("A", 1, 3)], [Entity.of("B", 0, 2)], ["both"]),
        ([Entity.of("A", 1, 3)], [Entity.of("A", 3, 4)], ["missed", "spurious"]),
        ([Entity.of("A", 1, 3)], [], ["missed"]),
        ([], [Entity.of("A", 1, 3)], ["spurious"]),
        # One prediction over two names is matched to one of them, and the other is missed.
        ([Entity.of("A", 0, 1), Entity.of("A", 2, 4)], [Entity.of("A", 0, 4)], ["boundary", "missed"]),
        # The right tokens take precedence over the right type.
        ([Entity.of("A", 0, 2), Entity.of("B", 0, 3)], [Entity.of("B", 0, 2)], ["type", "missed"]),
        # A part of a discontinuous entity has its type and other boundaries; the gap does not belong to it.
        ([Entity("A", ((0, 1), (3, 4)))], [Entity.of("A", 0, 1)], ["boundary"]),
        ([Entity("A", ((0, 1), (3, 4)))], [Entity.of("A", 1, 3)], ["missed", "spurious"]),
    ],
)
def test_entities_are_sorted_into_classes(gold, predicted, expected):
    assert names(gold, predicted) == expected


def test_a_prediction_is_matched_to_the_gold_entity_it_shares_most_with():
    near, far = Entity.of("A", 0, 3), Entity.of("A", 3, 9)
    found = entity_outcomes([far, near], [Entity.of("A", 0, 4)])
    assert [(one.name, one.gold) for one in found] == [("boundary", near), ("missed", far)]


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        (Relation("knows", ANN, BEA), ["correct"]),
        (Relation("knows", BEA, ANN), ["direction"]),
        (Relation("likes", ANN, BEA), ["label"]),
        (Relation("likes", BEA, ANN), ["label"]),
        (Relation("knows", ANN, CARL), ["argument"]),
        (Relation("knows", CARL, BEA), ["argument"]),
        (Relation("knows", Entity.of("ORG", 0, 1), Entity.of("PER", 4, 5)), ["argument"]),
        (Relation("knows", BEA, CARL), ["missed", "spurious"]),
        (Relation("likes", ANN, CARL), ["missed", "spurious"]),
    ],
)
def test_relations_are_sorted_into_classes(predicted, expected):
    assert names([Relation("knows", ANN, BEA)], [predicted], relation_outcomes) == expected


def test_shared_tokens_leave_gaps_out():
    assert shared(Entity("A", ((0, 1), (2, 3))), Entity.of("A", 0, 3)) == pytest.approx(2 / 3)
    assert shared(ANN, BEA) == 0


def test_no_annotations_have_no_outcomes():
    assert entity_outcomes([], []) == []
    types, matrix = confusion([])
    assert types == [NONE] and np.array_equal(matrix, [[0]])
