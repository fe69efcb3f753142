"""Suspicious annotations come first, and what a model could not find is not suspicious."""

from dataclasses import replace

import numpy as np
import pytest

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.noise import noise_candidates
from ner_zoo.annotation import Entity, Sentence

SENTENCE = Sentence(
    ("Ann", "Lin", "left", "Oda", "Bay"), (Entity.of("PER", 0, 2), Entity.of("LOC", 3, 5)), source="dev.txt:7"
)


def candidates(found, probabilities, **options):
    rows = {span: np.array([value]) for span, value in probabilities.items()}
    answer = Answer(SENTENCE, found, {}, rows)
    answer.out_of_reach = {entity for entity in SENTENCE.entities if entity.fragments not in rows}
    types = [SENTENCE.entities[0].type]
    return noise_candidates(Answers("model.tar.gz", "tagger", types, False, [answer]), **options)


def test_doubted_and_missing_entities_are_sorted_by_suspicion():
    found = candidates({Entity.of("PER", 0, 1): 0.8, Entity.of("LOC", 2, 3): 0.95}, {((0, 2),): 0.1})
    assert [(one["kind"], one["suspicion"], one["mention"]["text"]) for one in found] == [
        ("missing", 0.95, "left"),
        ("doubted", 0.9, "Ann Lin"),
        ("missing", 0.8, "Ann"),
    ]
    doubted = found[1]
    assert (
        doubted["probability"] == pytest.approx(0.1) and doubted["source"] == "dev.txt:7" and doubted["sentence"] == 0
    )
    assert [(one["text"], one["score"]) for one in doubted["instead"]] == [("Ann", 0.8)]


def test_what_the_model_cannot_find_is_not_doubted():
    assert candidates({}, {}) == []


def test_what_the_model_believes_is_left_out():
    assert candidates({SENTENCE.entities[0]: 0.9, Entity.of("LOC", 2, 3): 0.3}, {((0, 2),): 0.9}) == []
    assert len(candidates({Entity.of("LOC", 2, 3): 0.3}, {((0, 2),): 0.9}, least=0.0)) == 2


def test_predictions_on_tokens_that_nobody_has_annotated_are_not_missing():
    found = {Entity.of("LOC", 2, 3): 0.9, Entity.of("LOC", 3, 5): 0.8}
    answer = Answer(replace(SENTENCE, entities=(), unknown=(2,)), found)
    found = noise_candidates(Answers("model.tar.gz", "tagger", ["LOC"], False, [answer]))
    assert [one["mention"]["text"] for one in found] == ["Oda Bay"]
