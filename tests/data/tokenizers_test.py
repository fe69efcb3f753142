import unicodedata

import pytest
import regex
from allennlp.common import Params
from allennlp.data.tokenizers import Tokenizer
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ner_zoo.data import token_rules
from ner_zoo.data.token_rules import SPACE
from ner_zoo.data.tokenizers import Characters, Spaces, Tweets, Words

ALL = (Words(), Tweets(), Characters(), Spaces())
# Characters that occur in some rule, so that they are combined often.
PIECES = (
    *"aZ9é.,:;!?'’\"-_#@&$<>()/\\|=*^~3",
    *(" ", "\t", "\r\n", "\n", "\x1c", "\x85", "\u00a0", "\u2028", "\u3000"),
    *(
        "\u0301",
        "\u0e31",
        "\u200b",
        "\u200c",
        "\u200d",
        "\ufeff",
        "\u00ad",
        "\u200f",
        "\ufe0f",
        "\u20e3",
        "\x00",
        "\x1b",
    ),
    *("👨", "👩", "👍", "🏽", "🇵", "🇹", "❤", "中", "か", "カ", "ー", "ส", "ᄀ", "ᅡ", "ᆨ", "한", "न", "ि", "ا"),
    *("http://", "www.", "Mr", "U.S.", "n't", "'s", ":-)", "&amp;", "amazon.com", "a@b.io", "\U000e0067", "\ud800"),
)
TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=20).map("".join))


def words(text):
    return [token.text for token in Words().tokenize(text)]


def tweets(text):
    return [token.text for token in Tweets().tokenize(text)]


def characters(text):
    return [token.text for token in Characters().tokenize(text)]


@settings(max_examples=200, deadline=None)
@given(text=TEXT)
def test_tokens_are_the_text_at_their_offsets_and_cover_all_that_is_not_space(text):
    for tokenizer in ALL:
        reach = 0
        for token in tokenizer.tokenize(text):
            assert reach <= token.idx < token.idx_end
            assert text[token.idx : token.idx_end] == token.text
            assert not text[reach : token.idx].strip()
            assert not any(character.isspace() for character in token.text)
            reach = token.idx_end
        assert not text[reach:].strip()


@settings(max_examples=500, deadline=None)
@given(text=TEXT)
@example(text="J. Doe, J.\u00a0Doe, j. doe, No. 5, no. five, No.\u0301 5, U.S. U.S.")
def test_cached_spans_are_those_of_the_pattern_over_the_whole_text(text):
    for tokenizer in (Words(), Tweets()):
        assert tokenizer.spans(text) == tokenizer.spans(text) == list(tokenizer.matches(text))


def test_the_cache_of_spans_is_bounded(monkeypatch):
    monkeypatch.setattr(token_rules, "MOST_KNOWN", 10)
    monkeypatch.setattr(Words, "known", {})
    long = "x" * 1000
    text = " ".join([long, *map(str, range(25))])
    assert Words().spans(text) == list(Words().matches(text))
    assert 0 < len(Words.known) <= 10 and long not in Words.known


@settings(max_examples=200, deadline=None)
@given(text=TEXT)
@example(text="a'0\u0e31")
@example(text="a's\u0e31.\u0e31")
def test_a_combining_mark_stays_with_its_base(text):
    for tokenizer in ALL:
        for token in tokenizer.tokenize(text):
            if unicodedata.category(token.text[0]).startswith("M"):
                assert token.idx == 0 or text[token.idx - 1].isspace()


def test_the_pattern_for_white_space_is_python_s_own():
    space = regex.compile(f"[{SPACE}]")
    assert all(bool(space.match(chr(code))) == chr(code).isspace() for code in range(0x110000))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Mr. O'Neill didn't pay.", "Mr. O'Neill did n't pay ."),
        ("It’s the co-op’s, isn’t it?", "It ’s the co-op ’s , is n’t it ?"),
        ("I'll say we've $1,000.5 (3.5%)!", "I 'll say we 've $ 1,000.5 ( 3.5 % ) !"),
        ("In the U.S. at 10:30 a.m. on 12/31/99", "In the U.S. at 10:30 a.m. on 12/31/99"),
        ("J. A. Roe and R&D of Acme Inc. left...", "J. A. Roe and R&D of Acme Inc. left ..."),
        ("No. 5 said no. Plan B.", "No. 5 said no . Plan B ."),
        ("It fell to -5, 1990-1995.", "It fell to -5 , 1990-1995 ."),
        ("See http://a.b/c?d=e, www.x.org. Ask ada@x.org.", "See http://a.b/c?d=e , www.x.org . Ask ada@x.org ."),
        ('"Wait"—he said', '" Wait " — he said'),
        ("the end.Next", "the end . Next"),
        ("А. С. Ветрова из г. Озёрска.", "А. С. Ветрова из г. Озёрска ."),
        ("O Sr. Abel, d'Água", "O Sr. Abel , d'Água"),
        ("AT&amp;T", "AT &amp; T"),
        ("我住在Lima。カタカナと", "我 住 在 Lima 。 カタカナ と"),
        ("สวัสดี", "ส วั ส ดี"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया"),
        ("هذا بيت، نعم؟", "هذا بيت ، نعم ؟"),
    ],
)
def test_words_are_cut_as_in_treebanks(text, expected):
    assert words(text) == expected.split(" ")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("RT @user_1: I <3 #Tag2 :-) lol!!!", "RT @user_1 : I <3 #Tag2 :-) lol !!!"),
        ("it's what I'm don't ?!", "it 's what I'm don't ?!"),
        ("http://t.co/x... $ACME &amp; ;) xD -_- ^^", "http://t.co/x ... $ACME &amp; ;) xD -_- ^^"),
        ("@ home #1 (see: that) at 8)", "@ home # 1 ( see : that ) at 8)"),
        ("so cool:) 10:30", "so cool :) 10:30"),
    ],
)
def test_tweets_keep_users_tags_and_emoticons(text, expected):
    assert tweets(text) == expected.split(" ")


@pytest.mark.parametrize("emoji", ["👨‍👩‍👧", "👍🏽", "🇵🇹", "1️⃣", "❤️", "🏴\U000e0067\U000e0062\U000e007f", "👩🏽‍🚀"])
def test_an_emoji_is_one_token(emoji):
    for tokenizer in (Words(), Tweets(), Characters()):
        assert [token.text for token in tokenizer.tokenize(f"中{emoji}{emoji} .")] == ["中", emoji, emoji, "."]


def test_characters_stand_alone_with_their_marks():
    assert characters("中国 e\u0301t\r\na") == ["中", "国", "e\u0301", "t", "a"]
    assert characters("\u1100\u1161\u11a8\u1100") == ["\u1100\u1161\u11a8", "\u1100"]


def test_zero_width_spaces_and_control_characters_are_tokens_of_their_own():
    for tokenizer in (Words(), Tweets(), Characters()):
        assert [token.text for token in tokenizer.tokenize("a\u200bb\ufeff\x00c")] == [
            "a",
            "\u200b",
            "b",
            "\ufeff",
            "\x00",
            "c",
        ]


def test_joiners_and_soft_hyphens_stay_inside_a_word():
    assert words("می\u200cخواهم co\u00adop") == ["می\u200cخواهم", "co\u00adop"]


def test_tokenised_text_is_split_at_spaces_only():
    assert [token.text for token in Spaces().tokenize(" can't  stop. \n")] == ["can't", "stop."]


@pytest.mark.parametrize("name", ["words", "tweets", "characters", "spaces"])
def test_each_is_registered(name):
    assert Tokenizer.from_params(Params({"type": name})).tokenize("a")[0].idx_end == 1


@pytest.mark.parametrize(
    "unit",
    [
        "a.b.c.",
        "a-",
        "http://.",
        "a@",
        "a@b.",
        "#1",
        "((",
        ":-",
        "U.",
        "\U0001f1e6",
        "👨‍",
        "\u0301",
        "\u1100",
        "!?",
        "d-",
    ],
)
def test_no_text_takes_quadratic_time(unit):
    text = unit * (20_000 // len(unit))
    for tokenizer in ALL:
        assert sum(token.idx_end - token.idx for token in tokenizer.tokenize(text)) == len(text)
