import pytest

from ner_zoo.data.corpora.name_matching import (
    AS_IT_STANDS,
    BY_LETTERS,
    BY_PART,
    INSIDE_A_WORD,
    UNQUOTED,
    NamesInText,
    letters,
    matching_names,
)


@pytest.mark.parametrize(
    "text, name, expected, step",
    [
        ("Lima and Lima .", "Lima", ["Lima", "Lima"], AS_IT_STANDS),
        ("Limaville , Lima .", "Lima", ["Lima"], AS_IT_STANDS),
        ("the film `` Blue Bay ''", '"Blue Bay"', ["Blue Bay"], UNQUOTED),
        ("Santa Clára", "Santa Clara", ["Santa Clára"], BY_LETTERS),
        ("Santa Cla\u0301ra\u0301 .", "santa-clara", ["Santa Cla\u0301ra\u0301"], BY_LETTERS),
        ("Limaville", "Lima", ["Lima"], INSIDE_A_WORD),
        ("Oslo", "Lima", [], INSIDE_A_WORD),
        ("a ? b", "?", ["?"], AS_IT_STANDS),
        ("a", "", [], INSIDE_A_WORD),
        ("a", '"', [], INSIDE_A_WORD),
    ],
)
def test_names_are_found_in_text(text, name, expected, step):
    spans, found_by = NamesInText(text).occurrences(name)
    assert ([text[start:end] for start, end in spans], found_by) == (expected, step)


@pytest.mark.parametrize(
    "name, expected, step",
    [
        ("Lima", [0, 3], AS_IT_STANDS),
        ("'Lima'", [0, 3], UNQUOTED),
        ("Guantánamo", [1], BY_LETTERS),
        ("Blue Bay film", [2], BY_PART),
        ("Oslo", [], BY_PART),
    ],
)
def test_names_are_found_among_names(name, expected, step):
    assert matching_names(name, ["Lima", "guantanamo", "Blue Bay", "Lima"]) == (expected, step)


def test_letters_have_their_positions():
    assert letters("É-ßﬁ1") == ("essfi1", [0, 2, 2, 3, 3, 4])
