"""Planted errors are as described, and rankings are evaluated correctly."""

import json

import pytest

from ner_zoo.annotation import Entity, Relation, Sentence
from results.label_errors import page
from results.label_errors.plant import plant
from results.label_errors.ranking import quality

ANN, BAY, DOV = Entity.of("PER", 0, 2), Entity.of("LOC", 3, 5), Entity.of("PER", 6, 7)
TOKENS = tuple("Ann Lin left Oda Bay with Dov and nobody else saw it".split())
SENTENCES = [Sentence(TOKENS, (ANN, BAY, DOV), (Relation("left", ANN, BAY),)) for _ in range(40)]


def test_as_many_errors_of_each_kind_are_planted_as_the_rate_says():
    noisy, planted = plant(SENTENCES, 0.2, 1)
    kinds = [one.kind for one in planted if not one.is_relation]
    counts = [kinds.count(kind) for kind in ("missing", "spurious", "type")]
    assert counts == [6, 6, 6] and sum(p.is_relation for p in planted) <= 9
    for one in planted:
        sentence = noisy[one.sentence]
        kept = sentence.relations if one.is_relation else sentence.entities
        assert one.after is None or one.after in kept
        assert one.before is None or one.before not in kept
    assert all({r.head, r.tail} <= set(one.entities) for one in noisy for r in one.relations)
    assert plant(SENTENCES, 0.2, 1) == (noisy, planted) != plant(SENTENCES, 0.2, 2)


def test_average_precision_by_hand():
    # Found at ranks 1 and 3; the second claim about the first error is ignored, the third error is never found.
    found = quality([{1}, {1}, {7}, {2, 8}], [{1}, {2}, {3}])
    assert found.average_precision == pytest.approx((1 / 1 + 2 / 3) / 3) and found.found == 2
    assert found.precision_at_planted == pytest.approx(2 / 3)


def test_the_page_is_what_was_measured():
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.written_into(text, json.loads(page.MEASURED.read_text(encoding="utf-8"))) == text
