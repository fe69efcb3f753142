"""Scores agree with the training metrics for every type, and count entities that no model can find."""

import numpy as np
import pytest

from ner_zoo.analysis.answers import Answer
from ner_zoo.analysis.scores import entity_scores, relation_scores, sentence_counts
from ner_zoo.annotation import Entity, Sentence
from ner_zoo.metrics.entity_f1 import EntityF1
from ner_zoo.metrics.relation_f1 import RelationF1
from tests.analysis.examples import TYPES, invented_answers, invented_sentence


@pytest.fixture(scope="module")
def answers():
    draw = np.random.default_rng(3)
    gold = [invented_sentence(draw, TYPES[:4], True, number) for number in range(50)]
    return invented_answers(draw, gold, TYPES[:4], True, "model.tar.gz", 0.8).each


def test_entities_are_scored_as_by_the_metric(answers):
    metric = EntityF1()
    metric([one.entities for one in answers], [one.sentence.entities for one in answers])
    expected, scores = metric.get_metric(reset=True), entity_scores(answers)
    assert scores.strict.f1 == pytest.approx(expected["entity_f1"])
    assert scores.strict.precision == pytest.approx(expected["entity_precision"])
    assert sorted(scores.by_type) == sorted(TYPES[:4])
    for type, score in scores.by_type.items():
        assert score.f1 == pytest.approx(expected[f"entity_f1/{type}"])
        assert score.recall == pytest.approx(expected[f"entity_recall/{type}"])


@pytest.mark.parametrize("is_strict", [True, False])
def test_relations_are_scored_as_by_the_metric(answers, is_strict):
    metric = RelationF1(is_strict)
    metric([one.relations for one in answers], [one.sentence.relations for one in answers])
    expected, scores = metric.get_metric(reset=True), relation_scores(answers)
    score = scores.strict if is_strict else scores.boundaries
    assert score.f1 == pytest.approx(expected[f"{metric.prefix}_f1"]) and score.f1 > 0


def test_boundaries_of_a_type_count_under_whatever_name_they_were_found():
    sentence = Sentence(("Ann", "Lin"), (Entity.of("PER", 0, 1), Entity.of("PER", 1, 2)))
    scores = entity_scores([Answer(sentence, {Entity.of("ORG", 0, 1): 1.0})])
    assert scores.strict.found == 0 and scores.boundaries.found == 1
    person, organisation = scores.boundaries_by_type["PER"], scores.boundaries_by_type["ORG"]
    assert (person.found, person.gold, person.precision) == (1, 2, 0.0)
    assert (organisation.right, organisation.predicted, organisation.recall) == (1, 1, 0.0)


def test_one_span_with_two_types_is_one_span_by_boundaries():
    sentence = Sentence(("Ann",), (Entity.of("PER", 0, 1), Entity.of("ORG", 0, 1)))
    scores = entity_scores([Answer(sentence, {Entity.of("PER", 0, 1): 1.0})])
    assert (scores.strict.recall, scores.boundaries.recall) == (0.5, 1.0)


def test_no_annotations_have_a_score_of_zero():
    scores = entity_scores([Answer(Sentence(("Rain",)))])
    assert (scores.strict.precision, scores.strict.recall, scores.strict.f1) == (0.0, 0.0, 0.0)
    assert scores.by_type == {}


def test_counts_of_sentences_are_correct_predicted_and_gold():
    assert sentence_counts([("ab", "bc"), ("", "a"), ("", "")]).tolist() == [[1, 2, 2], [0, 1, 0], [0, 0, 0]]
    assert sentence_counts([]).shape == (0, 3)
