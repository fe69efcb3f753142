"""Words are found under the first of their known spellings."""

import pytest
from allennlp.data import Vocabulary
from allennlp.data.tokenizers import Token

from ner_zoo.data.known_spelling import KnownSpelling
from ner_zoo.data.spellings import spellings

KNOWN = ["Lisbon", "harbour", "so", "don", "0000", "http", "@", "rain", "!", "Ångström", "&"]


@pytest.mark.parametrize(
    "word, found",
    [
        ("Lisbon", "Lisbon"),
        ("LISBON", "Lisbon"),
        ("Harbour", "harbour"),
        ("#harbour", "harbour"),
        ("*Harbour*", "harbour"),
        ("soooo", "so"),
        ("Don't", "don"),
        ("1987", "0000"),
        ("https://example.org/x", "http"),
        ("@somebody", "@"),
        ("post-rain", "rain"),
        ("rain-soaked", "rain"),
        ("!!!!", "!"),
        ("A\u030angstr\u00f6m", "Ångström"),
        ("&amp;", "&"),
    ],
)
def test_a_word_has_the_number_of_its_nearest_known_spelling(word, found):
    vocab = Vocabulary(tokens_to_add={"words": KNOWN})
    (number,) = KnownSpelling("words").tokens_to_indices([Token(word)], vocab)["tokens"]
    assert vocab.get_token_from_index(number, "words") == found


def test_a_word_without_a_known_spelling_is_unknown():
    vocab = Vocabulary(tokens_to_add={"words": KNOWN})
    assert KnownSpelling("words").tokens_to_indices([Token("zzyzx")], vocab) == {"tokens": [1]}


def test_the_word_as_written_comes_first_then_its_lower_case():
    assert spellings("#Rain")[:2] == ("#Rain", "#rain")
    assert spellings("rain")[0] == "rain"


@pytest.mark.parametrize("word", ["", " ", "\u200b", "-", "'", "@", "#", "😀", "a" * 500])
def test_odd_words_have_spellings_of_at_least_one_character(word):
    assert all(spellings(word))
    assert word == "" or spellings(word)[0] == word


def test_vocabularies_count_words_as_they_are_written():
    counts = {"words": {"Rain": 0}}
    KnownSpelling("words").count_vocab_items(Token("Rain"), counts)
    assert counts == {"words": {"Rain": 1}}
