import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from ner_zoo.data.sentence_splitter import RuleSplitter, SentenceSplitter

NAMES = ("rules", "lines", "paragraphs", "none")
PIECES = (*"aB1.!?…。？\"')» \n\r\t؟।", "\r\n", "\n\n", "\u2028", "\u2029", "Mr.", "U.S.", "г.", "J. ", "1. ", "\u200b")
TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


def splitter(name):
    return SentenceSplitter.from_params(Params({"type": name}))


def split(text, **options):
    return [text[start:end] for start, end in RuleSplitter(**options).split(text)]


@settings(max_examples=150, deadline=None)
@given(text=TEXT)
def test_sentences_are_in_order_and_cover_all_that_is_not_space(text):
    for name in NAMES:
        reach = 0
        for start, end in splitter(name).split(text):
            assert reach <= start < end
            assert not text[reach:start].strip()
            assert text[start:end] == text[start:end].strip()
            reach = end
        assert not text[reach:].strip()


@settings(max_examples=150, deadline=None)
@given(text=TEXT.filter(len), data=st.data())
def test_no_protected_span_is_cut_and_no_needless_cut_is_saved(text, data):
    place = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(place, place).map(sorted).map(tuple), max_size=4))
    for name in NAMES:
        found = splitter(name).split_keeping(text, spans)
        for start, end in spans:
            inside = text[start:end]
            bare = (end - len(inside.lstrip()), start + len(inside.rstrip()))
            if bare[0] < bare[1]:
                assert any(s <= bare[0] and bare[1] <= e for s, e in found)
        assert not text[found[-1][1] if found else 0 :].strip()
        if not spans:
            assert found == splitter(name).split(text)


@pytest.mark.parametrize(
    "sentences",
    [
        ["Jane Roe left.", "She came back!", "Why?", "Nobody knows."],
        ["Mr. Roe of Acme Inc. paid 3.5 dollars.", "It was No. 5."],
        ["He lives in the U.S. Senate.", "She saw J. A. Roe."],
        ["It is in the U.S.", "The next is not."],
        ['"Why?" he asked.', '"Because," she said.', "(So it was.)", "Then nothing."],
        ["Wait... no.", "Wait…", "Really?!", "Yes."],
        ["На ул. Садовой, 5, г. Озёрск, родился А. С. Ветров.", "Он уехал в 1990 г. в Липовск.", "«Ура!»", "— Да."],
        ["O Sr. Abel chegou.", "¿Qué?", "¡No!"],
        ["هل هذا بيت؟", "نعم."],
        ["यह घर है।", "वह नहीं।"],
        ["1. First things", "come second"][:1],
    ],
)
def test_stops_end_sentences_and_abbreviations_do_not(sentences):
    assert split(" ".join(sentences)) == sentences
    assert split("  " + "\n".join(sentences) + "\r\n") == sentences


def test_chinese_and_japanese_need_no_space():
    assert split("我住在利马。「你呢？」他问。好！") == ["我住在利马。", "「你呢？」", "他问。", "好！"]


def test_a_lower_case_letter_continues_the_sentence():
    assert split("We saw approx. ten of no. such. but then") == ["We saw approx. ten of no. such. but then"]


def test_an_empty_line_always_ends_a_sentence_and_a_line_end_on_request():
    text = "A title\r\n \r\nfirst line\nsecond line"
    assert split(text) == ["A title", "first line\nsecond line"]
    assert split(text, newline="splits") == ["A title", "first line", "second line"]


def test_the_number_of_a_list_item_ends_nothing():
    assert split("1. Bread\n2. Milk. Then 12. The end") == ["1. Bread\n2. Milk.", "Then 12.", "The end"]


def test_lines_paragraphs_and_none():
    text = "a. B\r\nc\n\nd\u2029"
    assert [text[s:e] for s, e in splitter("lines").split(text)] == ["a. B", "c", "d"]
    assert [text[s:e] for s, e in splitter("paragraphs").split(text)] == ["a. B\r\nc", "d"]
    assert splitter("none").split(text) == [(0, len(text) - 1)]
    assert splitter("none").split(" \n") == []


def test_a_misspelt_meaning_of_line_ends_is_refused():
    with pytest.raises(ConfigurationError, match="splits"):
        RuleSplitter(newline="split")


@pytest.mark.parametrize("unit", [". ", ".", "Mr. ", "\n ", '."', "。", "J. A", "1. ", " "])
def test_no_text_takes_quadratic_time(unit):
    text = unit * (200_000 // len(unit))
    found = RuleSplitter().split_keeping(text, [(i, i + 3) for i in range(0, 190_000, 50)])
    assert not text.strip() or found[-1][1] == len(text.rstrip())
