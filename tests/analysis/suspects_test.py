"""Suspicious annotations come first, and entities that a model cannot find are not suspicious."""

from dataclasses import replace

import numpy as np
import pytest

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.suspect_records import suspect_records
from ner_zoo.analysis.suspects import judged, suspects, usual_probabilities
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.pair_labels import NONE

ANN, BAY = Entity.of("PER", 0, 2), Entity.of("LOC", 3, 5)
SENTENCE = Sentence(("Ann", "Lin", "left", "Oda", "Bay"), (ANN, BAY), source="dev.txt:7")
TYPES = ["LOC", "ORG", "PER"]


def answer(gold, likely=(), nothing=(), sentence=SENTENCE, **fields):
    """gold : the probabilities of the gold entities; one without is out of reach."""
    found = Answer(sentence, likely=dict(likely), error_probability=0.75, **fields)
    for entity, probability in gold.items():
        row = [probability if type == entity.type else 0.0 for type in TYPES]
        found.type_probabilities[entity.fragments] = np.array(row)
    found.out_of_reach = set(sentence.entities) - set(gold)
    found.nothing = {**{e.fragments: 0.0 for e in (*sentence.entities, *found.likely)}, **dict(nothing)}
    return found


def found_in(*each, **options):
    names = (NONE, "left-->", "left<--", "owns-->")
    return suspects(Answers("model.tar.gz", "tagger", TYPES, True, list(each), pair_names=names), **options)


def shown(some):
    return [(one.kind, one.gold, one.proposal) for one in some]


def test_each_kind_is_distinguished():
    org, wide, new = Entity.of("ORG", 3, 5), Entity.of("PER", 0, 3), Entity.of("ORG", 2, 3)
    type_error = answer({ANN: 0.9, BAY: 0.1}, {org: 0.8})
    boundary_error = answer({ANN: 0.1, BAY: 0.9}, {wide: 0.8})
    spurious = answer({ANN: 0.9, BAY: 0.1}, nothing={BAY.fragments: 0.9})
    missing = answer({ANN: 0.9, BAY: 0.9}, {new: 0.8}, {new.fragments: 0.1})
    found = found_in(type_error, boundary_error, spurious, missing)
    by_sentence = {one.sentence: (one.kind, one.gold, one.proposal) for one in found}
    assert by_sentence == {
        0: ("type", BAY, org),
        1: ("boundary", ANN, wide),
        2: ("spurious", BAY, None),
        3: ("missing", None, new),
    }
    assert {one.sentence: one.incompatible_gold for one in found}[1] == (ANN,)


def test_the_more_suspicious_comes_first_and_what_is_believed_is_left_out():
    org = Entity.of("ORG", 3, 5)
    found = found_in(answer({ANN: 0.9, BAY: 0.3}, {org: 0.6}), answer({ANN: 0.9, BAY: 0.05}, {org: 0.9}))
    assert [one.sentence for one in found] == [1, 0] and found[0].confidence > found[1].confidence >= 0.5
    assert len(found_in(answer({ANN: 0.9, BAY: 0.9}), least=0.0)) == 2 and found_in(answer({ANN: 0.9, BAY: 0.9})) == []


def test_what_the_model_cannot_find_is_not_suspected():
    assert found_in(answer({}), least=0.0) == []


def test_an_entity_compatible_with_a_probable_one_is_missing_and_not_its_rival():
    inner = Entity.of("ORG", 3, 4)
    found = found_in(answer({ANN: 0.9, BAY: 0.8}, {inner: 0.9}, {inner.fragments: 0.1}))
    assert shown(found) == [("missing", None, inner)] and found[0].incompatible_gold == ()


def test_of_missing_entities_that_exclude_each_other_the_most_probable_is_proposed():
    one, other = Entity.of("ORG", 2, 3), Entity.of("PER", 2, 3)
    found = found_in(answer({ANN: 0.9, BAY: 0.9}, {one: 0.3, other: 0.6}, {one.fragments: 0.1}))
    assert shown(found) == [("missing", None, other)]


def test_tokens_without_annotation_are_not_missing():
    new = Entity.of("ORG", 2, 3)
    partial = replace(SENTENCE, unknown=(2,))
    assert found_in(answer({ANN: 0.9, BAY: 0.9}, {new: 0.9}, {new.fragments: 0.1}, partial)) == []


@pytest.mark.parametrize(
    ("relations", "probabilities", "kind", "proposal"),
    [
        ((), [0.1, 0.8, 0.05, 0.05], "missing", Relation("left", ANN, BAY)),
        ((Relation("left", ANN, BAY),), [0.9, 0.05, 0.03, 0.02], "spurious", None),
        ((Relation("left", ANN, BAY),), [0.1, 0.05, 0.8, 0.05], "type", Relation("left", BAY, ANN)),
        ((Relation("left", ANN, BAY),), [0.1, 0.05, 0.05, 0.8], "type", Relation("owns", ANN, BAY)),
    ],
)
def test_pairs_of_gold_entities_are_compared_with_the_most_probable_relation(relations, probabilities, kind, proposal):
    sentence = replace(SENTENCE, relations=relations)
    one = answer({ANN: 1.0, BAY: 1.0}, sentence=sentence, pairs={(ANN, BAY): np.array(probabilities)})
    (found,) = [some for some in found_in(one, least=0.0) if some.is_relation]
    assert (found.kind, found.proposal) == (kind, proposal)
    assert found.gold == (relations[0] if relations else None)
    assert found.proposal_probability == max(probabilities)


def test_a_pair_is_suspicious_by_all_that_speaks_against_gold_not_by_the_best_alternative_alone():
    sentence = replace(SENTENCE, relations=(Relation("left", ANN, BAY),))
    rows = [0.8, 0.1, 0.05, 0.05], [0.4, 0.1, 0.25, 0.25]
    pairs = [{(ANN, BAY): np.array(row)} for row in rows]
    every = found_in(*(answer({ANN: 1.0, BAY: 1.0}, sentence=sentence, pairs=one) for one in pairs), least=0.0)
    one, other = (some for some in every if some.is_relation)
    assert one.confidence == other.confidence and one.proposal_probability != other.proposal_probability
    usual = usual_probabilities([one, other])
    p, g = 0.9 / usual[None], 0.1 / usual["left"]
    assert one.confidence == pytest.approx(p / (p + g))


def test_confidence_compares_each_side_with_what_is_usual_for_its_type():
    org = Entity.of("ORG", 3, 5)
    frequent = [answer({ANN: 0.9, BAY: 0.9}) for _ in range(200)]
    rare = Sentence(SENTENCE.tokens, (org,))
    low = [answer({org: 0.3}, sentence=rare) for _ in range(200)]
    doubted = answer({ANN: 0.9, BAY: 0.3}, {org: 0.3})
    every = found_in(*frequent, *low, doubted, least=0.0)
    usual = usual_probabilities(every)
    assert usual["LOC"] == pytest.approx(0.9, abs=0.02) and usual["ORG"] == pytest.approx(0.3, abs=0.02)
    assert usual[None] == 1.0 and usual["NEW"] == pytest.approx(0.7, abs=0.02)
    (found,) = [one for one in every if one.proposal == org]
    p, g = 0.3 / usual["ORG"], 0.3 / usual["LOC"]
    assert found.confidence == pytest.approx(p / (p + g)) and found.confidence > 0.7


def test_nothing_is_suspected_where_nothing_is_found():
    assert judged([]) == []


def test_a_record_has_both_sides_with_their_probabilities_and_the_place():
    org = Entity.of("ORG", 3, 5)
    answers = Answers("model.tar.gz", "tagger", TYPES, False, [answer({ANN: 0.9, BAY: 0.1}, {org: 0.8})])
    (record,) = suspect_records(answers)
    assert (record["kind"], record["of"], record["source"], record["sentence"]) == ("type", "entity", "dev.txt:7", 0)
    assert record["gold"]["text"] == record["proposal"]["text"] == "Oda Bay" and record["proposal"]["type"] == "ORG"
    assert (record["gold_probability"], record["proposal_probability"]) == (0.1, 0.8)
    assert record["sentence_error_probability"] == 0.75
