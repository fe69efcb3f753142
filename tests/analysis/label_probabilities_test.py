"""Distributions over types on gold spans, and how far the output is from the truth."""

import numpy as np
import pytest

from ner_zoo.analysis.analysis import DOWN, STABLE, UP
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.label_probabilities import discrepancy, label_probabilities
from ner_zoo.annotation import Entity, Sentence
from tests.analysis.examples import example

TOKENS = ("Ann", "Lin", "saw", "Oda")
PERSON, PLACE, WIDE = Entity.of("PER", 0, 1), Entity.of("LOC", 3, 4), Entity.of("LAW", 0, 4)


def answers(found, probabilities, gold=(PERSON, PLACE, WIDE)):
    answer = Answer(Sentence(TOKENS, gold), found, {}, {span: np.array(row) for span, row in probabilities.items()})
    return Answers("model.tar.gz", "span", ["LOC", "PER"], False, [answer])


@pytest.fixture
def labels():
    probabilities = {PERSON.fragments: [0.2, 0.7], PLACE.fragments: [0.3, 0.5]}
    return label_probabilities(answers({PERSON: 0.7, Entity.of("PER", 3, 4): 0.5}, probabilities))


def test_what_no_type_has_is_left_for_none(labels):
    assert labels.names == ["LOC", "PER", "LAW", "none"]
    assert labels.probabilities.tolist()[0] == pytest.approx([0.2, 0.7, 0.0, 0.1])
    assert labels.probabilities.sum(1) == pytest.approx(1.0)


def test_a_gold_entity_that_the_model_cannot_find_has_no_probability(labels):
    assert labels.probabilities[2].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert labels.gold.tolist() == [1, 0, 2] and labels.true_probability[2] == 0.0


def test_the_output_is_what_was_decoded_on_these_tokens(labels):
    assert labels.predicted.tolist() == [1, 1, 3]
    assert labels.is_right.tolist() == [True, False, False]


def test_two_types_on_one_span_share_the_probability():
    both = (PERSON, Entity.of("LOC", 0, 1))
    found = label_probabilities(answers(dict.fromkeys(both, 0.9), {PERSON.fragments: [0.9, 0.9]}, both))
    assert found.probabilities.tolist()[0] == pytest.approx([0.5, 0.5, 0.0])
    assert found.is_right.all()


def test_a_discrepancy_is_up_stable_or_down():
    # Right; wrong and believed; decoded as nothing although its type is the most probable label.
    third = Entity.of("PER", 1, 2)
    probabilities = {PERSON.fragments: [0.1, 0.8], PLACE.fragments: [0.2, 0.4], third.fragments: [0.0, 0.6]}
    found = answers({PERSON: 0.8, Entity.of("PER", 3, 4): 0.4}, probabilities, (PERSON, PLACE, third))
    result = discrepancy(label_probabilities(found))
    assert result.kind.tolist() == [STABLE, UP, DOWN]
    assert result.log_ratio.tolist() == pytest.approx([0.0, 1.0, np.log2(0.4 / 0.6)])
    assert result.d_value[0] == pytest.approx(np.var([0.1, 0.8, 0.1]) / 0.8)
    assert [result.count(kind) for kind in (UP, STABLE, DOWN)] == [1, 1, 1]


def test_many_entities_are_sampled_by_a_seed():
    probabilities = {(span,): [0.5, 0.5] for span in [(i, i + 1) for i in range(4)]}
    gold = tuple(Entity("PER", span) for span in probabilities)
    found = answers({}, probabilities, gold)
    first, again = label_probabilities(found, most=2), label_probabilities(found, most=2)
    assert len(first.gold) == 2 and first.total == 4
    assert np.array_equal(first.probabilities, again.probabilities)


def test_a_file_without_entities_has_empty_arrays():
    labels = label_probabilities(answers({}, {}, ()))
    assert labels.probabilities.shape == (0, 3) and len(discrepancy(labels).kind) == 0


def test_impossible_truths_stay_finite():
    result = example(types=1, sentences=20)
    assert np.isfinite(result.discrepancy.d_value).all() and np.isfinite(result.discrepancy.log_ratio).all()
