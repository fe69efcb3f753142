"""The average of several models is the mixture of their distributions, however each model numbers its labels."""

from dataclasses import replace

import numpy as np
import pytest

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.averaged_answers import averaged
from ner_zoo.analysis.suspects import suspects
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.pair_labels import NONE

ANN, BAY, BAY_ORG = Entity.of("PER", 0, 1), Entity.of("LOC", 2, 4), Entity.of("ORG", 2, 4)
WIDE = Entity.of("LOC", 1, 4)
SENTENCE = Sentence(("Ann", "left", "Oda", "Bay"), (ANN, BAY))
LEFT = Relation("left", ANN, BAY)


def one_model(types, rows, likely, nothing, pair_names, pair, entities=(), error=0.2):
    answer = Answer(
        SENTENCE,
        {entity: likely[entity] for entity in entities},
        {LEFT: 0.8},
        dict(zip((ANN.fragments, BAY.fragments), map(np.array, rows))),
        likely,
        nothing,
        {(ANN, BAY): np.array(pair)},
        error,
    )
    return Answers("model.tar.gz", "joint_relation", list(types), True, [answer], pair_names=pair_names)


def two_models():
    first = one_model(
        ("PER", "LOC", "ORG"),
        [[0.9, 0.0, 0.1], [0.0, 0.6, 0.3]],
        {ANN: 0.9, BAY: 0.6, BAY_ORG: 0.3},
        {ANN.fragments: 0.0, BAY.fragments: 0.1},
        (NONE, "left-->"),
        [0.2, 0.8],
        (ANN, BAY),
    )
    second = one_model(
        ("LOC", "PER"),
        [[0.0, 0.7], [0.1, 0.0]],
        {ANN: 0.7, BAY: 0.1, WIDE: 0.8},
        {ANN.fragments: 0.3, BAY.fragments: 0.1, WIDE.fragments: 0.05},
        ("left-->", NONE, "owns-->"),
        [0.5, 0.4, 0.1],
        (ANN, WIDE),
        error=0.6,
    )
    return first, second


def test_probabilities_are_averaged_over_models_with_different_label_numbers():
    first, second = two_models()
    both = averaged([first, second])
    (answer,) = both.each
    assert both.types == ["PER", "LOC", "ORG"] and both.pair_names == (NONE, "left-->", "owns-->")
    assert answer.type_probabilities[BAY.fragments] == pytest.approx([0.0, 0.35, 0.15])
    assert answer.pairs[ANN, BAY] == pytest.approx([0.3, 0.65, 0.05])
    assert answer.likely == pytest.approx({ANN: 0.8, BAY: 0.35, BAY_ORG: 0.15, WIDE: 0.4})
    assert answer.error_probability == pytest.approx(0.4)
    assert both.probability(answer, BAY) == pytest.approx(0.35)


def test_nothing_on_tokens_that_a_model_did_not_consider_follows_from_the_entities_that_overlap_them():
    (answer,) = averaged(two_models()).each
    assert answer.nothing[WIDE.fragments] == pytest.approx((0.05 + 1 - 0.6 - 0.3) / 2)


def test_what_most_models_predict_is_the_prediction():
    first, second = two_models()
    (answer,) = averaged([first, second, second]).each
    assert set(answer.entities) == {ANN, WIDE} and answer.relations == {LEFT: pytest.approx(0.8)}


def test_an_entity_is_out_of_reach_if_no_model_can_represent_it():
    first, second = two_models()
    first.each[0].out_of_reach = {ANN, BAY}
    second.each[0].out_of_reach = {BAY}
    assert averaged([first, second]).each[0].out_of_reach == {BAY}


def test_models_that_disagree_make_less_confident_suspects():
    first, second = two_models()
    alone, both = (
        next(one for one in suspects(each, 0.0) if one.gold == BAY) for each in (second, averaged([first, second]))
    )
    assert (alone.kind, alone.proposal) == (both.kind, both.proposal) == ("boundary", WIDE)
    assert both.confidence < alone.confidence


def test_equal_models_give_the_same_answer_as_one():
    first, _ = two_models()
    again = averaged([first, replace(first, model="other.tar.gz")])
    expected = [(one.gold, one.proposal, pytest.approx(one.confidence)) for one in suspects(first, 0.0)]
    assert [(one.gold, one.proposal, one.confidence) for one in suspects(again, 0.0)] == expected
    assert averaged([first]) is first
