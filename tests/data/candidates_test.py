import numpy as np
import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.candidates import Candidates, Contiguous, Gaps, Gold
from ner_zoo.data.span_arrays import fragments_of


def sentence(length, *entities):
    return Sentence(tuple("abcdefghij"[:length]), entities)


def test_contiguous_spans_come_by_start_and_then_by_width():
    assert Contiguous(2).spans(sentence(3)).tolist() == [[[0, 1]], [[0, 2]], [[1, 2]], [[1, 3]], [[2, 3]]]


@pytest.mark.parametrize("length, width", [(0, 3), (1, 3), (4, 3), (10, 4)])
def test_there_are_as_many_contiguous_spans_as_starts_and_widths_allow(length, width):
    expected = {((s, e),) for s in range(length) for e in range(s + 1, min(length, s + width) + 1)}
    places = Contiguous(width).places(sentence(length))
    assert set(places) == expected and sorted(places.values()) == list(range(len(expected)))


def test_spans_with_gaps_are_every_pair_of_fragments_within_the_limits():
    candidates = Gaps(max_width=2, max_fragment_width=2, max_gap=3)
    found = [fragments_of(span) for span in candidates.spans(sentence(7)).tolist()]
    whole = {((s, e),) for s in range(7) for e in (s + 1, s + 2) if e <= 7}
    split = {
        ((a, a + first), (b, b + second))
        for a in range(7)
        for first in (1, 2)
        for b in range(a + first + 1, a + first + 4)
        for second in (1, 2)
        if b + second <= 7
    }
    assert len(found) == len(set(found)) and set(found) == whole | split


def test_gold_spans_are_the_entities_with_their_gaps_each_once():
    entities = (Entity("A", ((0, 1), (2, 4))), Entity.of("B", 1, 2), Entity.of("C", 1, 2))
    assert Gold().spans(sentence(5, *entities)).tolist() == [[[0, 1], [2, 4]], [[1, 2], [-1, -1]]]
    assert Gold().spans(sentence(5)).shape == (0, 1, 2)


def test_sentences_of_one_length_share_their_candidates():
    candidates = Contiguous(3)
    assert np.shares_memory(candidates.spans(sentence(6)), candidates.spans(sentence(6)))


@pytest.mark.parametrize(
    "params", [{"type": "contiguous", "max_width": 0}, {"type": "gaps", "max_gap": 0}, {"max_width": -1}]
)
def test_a_limit_below_one_token_is_refused(params):
    with pytest.raises(ConfigurationError, match="must be a number of tokens"):
        Candidates.from_params(Params(params))
