"""The best taggings of a text, compared with all combinations."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from ner_zoo.labels.prediction import Tagging
from ner_zoo.predictors.taggings import most_probable

LOGS = st.floats(-20, 0)
SENTENCES = st.lists(st.lists(LOGS.map(lambda log: Tagging(log, ())), min_size=1, max_size=4), max_size=4)


@given(SENTENCES, st.integers(1, 6))
def test_the_best_ways_are_those_of_all_combinations(sentences, k) -> None:
    every = sorted((sum(t.log_probability for t in some) for some in itertools.product(*sentences)), reverse=True)
    ways = most_probable([sorted(some, key=lambda t: -t.log_probability) for some in sentences], k)
    assert [way.log_probability for way in ways] == approx(every[:k])
    assert all(len(way.taggings) == len(sentences) for way in ways)
    assert all(
        math.isclose(sum(t.log_probability for t in way.taggings), way.log_probability, abs_tol=1e-9) for way in ways
    )


def test_a_long_text_needs_no_more_recursion_than_a_short_one() -> None:
    ways = most_probable([[Tagging(-0.1, ()), Tagging(-1.0, ())]] * 5000, 2)
    assert len(ways[0].taggings) == 5000
