"""Two models on the same sentences."""

import numpy as np
import pytest

from ner_zoo.analysis.rivals import agreement, significance
from tests.analysis.examples import TYPES, example, invented_answers, invented_sentence


@pytest.fixture(scope="module")
def pair():
    draw = np.random.default_rng(5)
    gold = [invented_sentence(draw, TYPES[:3], True, number) for number in range(80)]
    return [invented_answers(draw, gold, TYPES[:3], True, f"{q}.tar.gz", quality=q) for q in (0.9, 0.4)]


def test_every_gold_entity_is_in_one_cell_of_the_agreement(pair):
    table = agreement(*pair)
    gold = [entity.type for answer in pair[0].each for entity in answer.sentence.entities]
    assert {type: counts.sum() for type, counts in table.items()} == {type: gold.count(type) for type in TYPES[:3]}
    right = sum(len(set(one.sentence.entities) & set(one.entities)) for one in pair[0].each)
    assert sum(counts[0] + counts[1] for counts in table.values()) == right


def test_the_other_way_round_the_difference_changes_its_sign_alone(pair):
    first, relations = significance(*pair)
    again, _ = significance(*reversed(pair))
    assert (first.metric, relations.metric) == ("entity F1", "relation F1")
    assert first.difference > 0.1 and first.p_value < 0.01 and first.low > 0
    assert (again.difference, again.low, again.high) == (-first.difference, -first.high, -first.low)
    assert again.p_value == first.p_value


def test_a_model_does_not_differ_from_itself(pair):
    (test, _) = significance(pair[0], pair[0])
    assert test.difference == 0 and test.p_value > 0.9


def test_examples_are_what_one_model_alone_gets():
    rival = example(types=3, has_rival=True, sentences=60).rival
    assert rival.only_first and rival.only_second
    for one in rival.only_first:
        place = one["mention"]["type"], one["mention"]["fragments"]
        assert place in [(found["type"], found["fragments"]) for found in one["first"]["entities"]]
        assert place not in [(found["type"], found["fragments"]) for found in one["second"]["entities"]]
        assert place in [(found["type"], found["fragments"]) for found in one["gold"]["entities"]]
    scores = [one["mention"]["score"] for one in rival.only_second]
    assert scores == sorted(scores, reverse=True)
