"""The worst sentences first, as predictions that can be rendered."""

import pytest

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.worst import gold_probability, worst_sentences
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.rendering.render import to_html

ANN, BEA = Entity.of("PER", 0, 1), Entity.of("PER", 2, 3)
SENTENCE = Sentence(("Ann", "met", "Bea"), (ANN, BEA), (Relation("met", ANN, BEA),), source="test.txt:3")


def answers(*each, has_relations=False):
    return Answers("model.tar.gz", "tagger", ["PER"], has_relations, list(each))


def test_sentences_are_sorted_by_their_f1_and_right_ones_left_out():
    right, half, none = Answer(SENTENCE, {ANN: 0.9, BEA: 0.9}), Answer(SENTENCE, {ANN: 0.9}), Answer(SENTENCE)
    found = worst_sentences(answers(right, half, none))
    assert [(one["sentence"], one["f1"]) for one in found] == [(2, 0.0), (1, pytest.approx(2 / 3, abs=1e-6))]
    assert found[0]["source"] == "test.txt:3"


def test_relations_count_if_the_model_looks_for_them():
    answer = Answer(SENTENCE, {ANN: 0.9, BEA: 0.9})
    assert worst_sentences(answers(answer)) == []
    (found,) = worst_sentences(answers(answer, has_relations=True))
    assert found["f1"] == pytest.approx(0.8)
    assert [one["type"] for one in found["gold"]["relations"]] == ["met"]


def test_gold_and_predicted_can_be_rendered():
    (found,) = worst_sentences(answers(Answer(SENTENCE, {BEA: 0.5})))
    assert [one["text"] for one in found["gold"]["entities"]] == ["Ann", "Bea"]
    assert [one["score"] for one in found["gold"]["entities"]] == [0.0, 0.5]
    assert "Bea" in to_html(found["predicted"]) and found["gold"]["text"] == "Ann met Bea"


def test_the_probability_of_gold_is_a_geometric_mean():
    answer = Answer(SENTENCE, {ANN: 0.9, BEA: 0.4})
    assert gold_probability(answers(answer), answer) == pytest.approx(0.6)
    assert gold_probability(answers(), Answer(Sentence(("Rain",)))) == 1.0
