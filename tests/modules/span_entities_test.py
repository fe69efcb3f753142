import pytest

from ner_zoo.annotation import Entity
from ner_zoo.modules.span_decoding import Mention
from ner_zoo.modules.span_entities import joined

TYPES = ("A", "A (part)", "B")
SPANS = {0: [[0, 1]], 1: [[0, 4]], 2: [[2, 3]], 3: [[3, 4]]}


def mention(place, type, score, is_part=False):
    (start, end) = SPANS[place][0]
    return Mention(place, type, start, end, score, 1.0, is_part)


def test_linked_parts_are_one_entity_whose_score_is_the_product():
    some = [mention(0, 1, 0.9, True), mention(2, 1, 0.8, True), mention(1, 2, 0.7)]
    found = dict(joined(some, SPANS, {(0, 2): 0.6}, TYPES))
    assert found == {Entity.of("B", 0, 4): 0.7, Entity("A", ((0, 1), (2, 3))): pytest.approx(0.9 * 0.8 * 0.6)}


def test_an_improbable_link_joins_nothing():
    some = [mention(0, 1, 0.9, True), mention(2, 1, 0.8, True)]
    assert joined(some, SPANS, {(0, 2): 0.4}, TYPES) == []


def test_entities_come_in_the_order_of_the_text():
    some = [mention(3, 0, 0.5), mention(1, 2, 0.7), mention(0, 0, 0.6)]
    starts = [(entity.start, entity.end) for entity, _ in joined(some, SPANS, {}, TYPES)]
    assert starts == [(0, 4), (0, 1), (3, 4)]
