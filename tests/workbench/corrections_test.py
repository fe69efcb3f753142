"""Suspects are applied in the order of their confidence; incompatible ones are skipped and logged."""

from dataclasses import replace

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.analysis.suspects import Suspect
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.workbench.corrections import corrected

ANN, BAY = Entity.of("PER", 0, 2), Entity.of("LOC", 3, 5)
SENTENCE = Sentence(("Ann", "Lin", "left", "Oda", "Bay"), (ANN, BAY), (Relation("left", ANN, BAY),))


def suspect(kind, gold, proposal, confidence=0.95, incompatible_gold=()):
    return Suspect(0, kind, gold, proposal, 0.05, 0.9, incompatible_gold, confidence)


def apply(action, *suspects, sentence=SENTENCE, above=0.9):
    (found,), log = corrected([sentence], suspects, action, above)
    return found, [change.outcome for change in log]


def test_replacing_exchanges_an_entity_and_its_relations_follow():
    org = Entity.of("ORG", 3, 5)
    found, log = apply("replace", suspect("type", BAY, org, incompatible_gold=(BAY,)))
    assert found.entities == (ANN, org) and found.relations == (Relation("left", ANN, org),) and log == ["applied"]


def test_a_spurious_entity_goes_with_its_relations_and_the_log_says_which():
    found, log = corrected([SENTENCE], [suspect("spurious", BAY, None)], "replace", 0.9)
    assert found[0].entities == (ANN,) and found[0].relations == () and log[0].lost == SENTENCE.relations


def test_a_missing_entity_is_added():
    new = Entity.of("EVENT", 2, 3)
    assert apply("replace", suspect("missing", None, new))[0].entities == (ANN, new, BAY)


def test_unknown_takes_gold_out_and_marks_the_tokens_of_both_sides():
    wide = Entity.of("LOC", 2, 5)
    found, _ = apply("unknown", suspect("boundary", BAY, wide, incompatible_gold=(BAY,)))
    assert found.entities == (ANN,) and found.unknown == (2, 3, 4)


def test_what_is_less_confident_is_left_alone():
    found, log = apply("replace", suspect("spurious", BAY, None, confidence=0.89))
    assert found == SENTENCE and log == []


def test_a_proposal_that_overlaps_an_entity_that_stays_is_skipped():
    wide = Entity.of("PER", 0, 5)
    found, log = apply("replace", suspect("boundary", ANN, wide, incompatible_gold=(ANN, BAY)))
    assert found == SENTENCE and log == ["skipped: the proposal overlaps another entity"]
    both = (
        suspect("boundary", ANN, wide, incompatible_gold=(ANN, BAY)),
        suspect("boundary", BAY, wide, 0.92, (ANN, BAY)),
    )
    found, log = apply("replace", *both)
    assert found.entities == (wide,) and found.relations == () and log == ["applied", "applied"]


def test_of_two_proposals_that_exclude_each_other_the_more_confident_is_applied():
    sentence = Sentence(("a", "b", "c", "d"), (Entity.of("ORG", 1, 2),))
    wide, right = Entity.of("ORG", 1, 4), Entity.of("ORG", 2, 4)
    boundary = Suspect(0, "boundary", sentence.entities[0], wide, 0.05, 0.45, sentence.entities, 0.97)
    missing = Suspect(0, "missing", None, right, 0.05, 0.5, (), 0.95)
    found, log = apply("replace", boundary, missing, sentence=sentence)
    assert found.entities == (wide,) and log == ["applied", "skipped: the proposal overlaps another entity"]
    # A model of nested entities can hold both.
    likely = replace(missing, proposal_probability=0.9)
    assert apply("replace", boundary, likely, sentence=sentence)[0].entities == (wide, right)


def test_a_proposal_over_an_entity_that_changes_otherwise_is_skipped():
    sentence = Sentence(("a", "b", "c", "d", "e"), (Entity.of("ORG", 0, 2), Entity.of("ORG", 3, 4)))
    left, right = sentence.entities
    over_both = Suspect(0, "boundary", left, Entity.of("ORG", 0, 4), 0.05, 0.4, (left, right), 0.99)
    shifted = Suspect(0, "boundary", right, Entity.of("ORG", 3, 5), 0.05, 0.4, (right,), 0.98)
    found, log = apply("replace", over_both, shifted, sentence=sentence)
    assert found.entities == (left, shifted.proposal)
    assert log == ["skipped: the proposal overlaps another entity", "applied"]


def test_relations_are_replaced_between_entities_that_stay():
    back = Relation("left", BAY, ANN)
    found, log = apply("replace", suspect("type", SENTENCE.relations[0], back))
    assert found.relations == (back,) and log == ["applied"]
    _, log = apply("replace", suspect("spurious", BAY, None), suspect("type", SENTENCE.relations[0], back, 0.99))
    assert log == ["applied", "skipped: one of its entities has changed"]
    _, log = apply("unknown", suspect("type", SENTENCE.relations[0], back))
    assert log == ["skipped: a corpus cannot represent an unknown relation"]


@pytest.mark.parametrize("above", [0.4, 1.1])
def test_a_threshold_that_is_not_a_confidence_is_refused(above):
    with pytest.raises(ConfigurationError, match="--above"):
        corrected([SENTENCE], [], "replace", above)
