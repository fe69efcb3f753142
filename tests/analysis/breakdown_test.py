"""Breakdowns put every annotation into exactly one group."""

import numpy as np
import pytest

from ner_zoo.analysis.answers import Answer
from ner_zoo.analysis.breakdown import (
    CROSSING,
    FLAT,
    INSIDE_MORE,
    INSIDE_ONE,
    OUTER,
    SAME_SPAN,
    by_nesting,
    distance,
    entity_breakdowns,
    range_name,
    range_names,
    seen_forms,
)
from ner_zoo.analysis.errors import entity_outcomes
from ner_zoo.annotation import Entity, Relation, Sentence
from tests.analysis.examples import example

SENTENCE = Sentence(("Ann", "met", "Bea", "Lin", "."), (Entity.of("PER", 0, 1), Entity.of("PER", 2, 4)))


@pytest.mark.parametrize("has_relations", [False, True])
def test_every_breakdown_sums_to_the_totals(has_relations):
    analysis = example(types=4, has_relations=has_relations, sentences=60)
    for errors in filter(None, (analysis.errors, analysis.relation_errors)):
        assert len(errors.breakdowns) >= 4
        for breakdown in errors.breakdowns:
            assert breakdown.gold.sum(0).tolist() == errors.gold.tolist()
            assert breakdown.predicted.sum(0).tolist() == errors.predicted.tolist()
            assert (breakdown.gold.sum(1) + breakdown.predicted.sum(1) > 0).all()


def form_breakdown(seen, why=""):
    answer = Answer(SENTENCE, {SENTENCE.entities[0]: 0.9})
    found = entity_breakdowns([answer], [entity_outcomes(answer.sentence.entities, answer.entities)], seen, why)
    return next(one for one in found if one.name == "form")


def test_names_are_distinguished_by_what_training_has_seen():
    seen = seen_forms(
        [Sentence(("Ann", "Lin"), (Entity.of("PER", 0, 1),)), Sentence(("Bea", "Lin"), (Entity.of("ORG", 0, 2),))]
    )
    form = form_breakdown(seen)
    assert dict(zip(form.groups, form.gold.sum(1).tolist())) == {"seen": 1, "seen with another type": 1}
    assert form_breakdown({}).groups == ["unseen"]


def test_without_training_data_the_breakdown_says_that_it_is_unknown():
    form = form_breakdown(None, "It is not here.")
    assert form.unknown == "It is not here." and form.groups == [] and form.gold.shape == (0, 6)


def test_entities_are_grouped_by_how_they_lie_among_others():
    outer, inner, innermost = Entity.of("A", 0, 5), Entity.of("A", 1, 4), Entity.of("A", 1, 2)
    every = [outer, inner, innermost, Entity.of("A", 6, 8), Entity.of("B", 6, 8)]
    groups = [by_nesting(entity, SENTENCE, every) for entity in every]
    assert groups == [OUTER, INSIDE_ONE, INSIDE_MORE, SAME_SPAN, SAME_SPAN]
    crossing = [Entity.of("A", 0, 2), Entity.of("A", 1, 3), Entity.of("A", 5, 6)]
    assert [by_nesting(entity, SENTENCE, crossing) for entity in crossing] == [CROSSING, CROSSING, FLAT]


def test_ranges_are_named_by_their_ends():
    assert range_names((1, 2, 3, 6)) == ["1", "2", "3–5", "6+"]
    assert [range_name(value, (1, 2, 3, 6)) for value in (0, 1, 2, 5, 6, 99)] == ["1", "1", "2", "3–5", "6+", "6+"]


def test_the_distance_of_a_relation_counts_the_tokens_between():
    first, second = Entity.of("A", 0, 2), Entity.of("A", 5, 6)
    assert distance(Relation("r", first, second)) == distance(Relation("r", second, first)) == 3
    assert distance(Relation("r", first, Entity.of("A", 1, 3))) == 0


def test_a_width_counts_the_tokens_of_an_entity_without_its_gaps():
    sentence = Sentence(tuple("abcdef"), (Entity("A", ((0, 1), (4, 5))),))
    answer = Answer(sentence)
    width = entity_breakdowns([answer], [entity_outcomes(answer.sentence.entities, answer.entities)], None)[1]
    assert width.name == "width" and width.groups == ["2"]
    assert np.array_equal(width.predicted, np.zeros((1, 6)))
