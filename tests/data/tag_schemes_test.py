import itertools

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.annotation import Entity
from ner_zoo.data.tag_schemes import (
    SCHEMES,
    check_scheme,
    detect_scheme,
    entities_from_tags,
    ill_formed,
    split_tag,
    tags_from_entities,
)


@st.composite
def flat_entities(draw):
    """A sentence length and contiguous entities that do not overlap."""
    pieces = draw(st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["", "PER", "geo-loc"])), max_size=8))
    entities, position = [], 0
    for width, type in pieces:
        if type:
            entities.append(Entity.of(type, position, position + width))
        position += width
    return position, entities


def conlleval(tags):
    """conlleval's two questions, asked for each pair of adjacent tags."""
    letter = {"L": "E", "U": "S", "M": "I"}
    parts = [split_tag(tag) for tag in tags] + [("O", "")]
    parts = [(letter.get(p, p), t) for p, t in parts]
    found, start, (previous, previous_type) = set(), None, ("O", "")
    for i, (prefix, type) in enumerate(parts):
        ends = previous in "ES" or (previous in "BI" and prefix in "BSO") or (previous != "O" and previous_type != type)
        begins = prefix in "BS" or (previous in "ESO" and prefix in "EI") or (prefix != "O" and previous_type != type)
        if start is not None and ends:
            found.add(Entity.of(previous_type, start, i))
            start = None
        if begins:
            start = i
        previous, previous_type = prefix, type
    return found


@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES if scheme != "IO"])
@given(sentence=flat_entities())
def test_entities_survive_the_way_through_tags(scheme, sentence):
    length, entities = sentence
    tags = tags_from_entities(entities, length, scheme)
    assert entities_from_tags(tags) == entities
    assert ill_formed(tags, scheme) == []


@given(sentence=flat_entities())
def test_io_merges_only_neighbours_of_one_type(sentence):
    length, entities = sentence
    neighbours = any(a.end == b.start and a.type == b.type for a, b in itertools.pairwise(entities))
    assert (entities_from_tags(tags_from_entities(entities, length, "IO")) == entities) is not neighbours


@given(st.lists(st.sampled_from(["O"] + [f"{p}-{t}" for p in "BIMLEUS" for t in ("A", "B-C")]), max_size=8))
def test_any_sequence_is_read_as_conlleval_reads_it(tags):
    assert set(entities_from_tags(tags)) == conlleval(tags)


@pytest.mark.parametrize(
    "tags, expected",
    [
        (["B-X", "I-Y"], [("X", 0, 1), ("Y", 1, 2)]),
        (["O", "I-X", "I-X"], [("X", 1, 3)]),
        (["I-X", "B-X"], [("X", 0, 1), ("X", 1, 2)]),
        (["B-geo-loc", "I-geo-loc"], [("geo-loc", 0, 2)]),
        ([], []),
    ],
)
def test_ill_formed_sequences_have_a_meaning(tags, expected):
    assert entities_from_tags(tags) == [Entity.of(*e) for e in expected]


@pytest.mark.parametrize(
    "tag, parts",
    [
        ("B-geo-loc", ("B", "geo-loc")),
        ("O", ("O", "")),
        ("PESSOA", ("I", "PESSOA")),
        ("B", ("B", "")),
        ("geo-loc", ("I", "geo-loc")),
    ],
)
def test_a_tag_is_split_at_its_first_hyphen(tag, parts):
    assert split_tag(tag) == parts


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scheme_is_detected_from_its_own_tags(scheme):
    entities = [Entity.of("X", 0, 1), Entity.of("X", 1, 4), Entity.of("Y", 5, 8)]
    if scheme == "IO":
        entities = entities[1:]
    assert detect_scheme([tags_from_entities(entities, 9, scheme)]) == scheme


def test_a_few_stray_tags_do_not_change_the_detected_scheme():
    assert detect_scheme([["B-X", "I-X", "O"]] * 5 + [["O", "I-X"]]) == "BIO"
    assert detect_scheme([["I-X", "I-X", "O"]] * 5 + [["B-X", "I-X"]]) == "IOB1"


def test_stray_tags_are_pointed_at():
    assert ill_formed(["O", "I-X", "I-X", "B-Y", "I-X"], "BIO") == [1, 4]
    assert ill_formed(["B-X", "O"], "BIOUL") == [1]
    assert ill_formed(["B-X"], "BIOUL") == [0]


def test_an_unknown_scheme_is_refused_by_name():
    with pytest.raises(ConfigurationError, match="IOBE.*BIOUL"):
        check_scheme("IOBE")
