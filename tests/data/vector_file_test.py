"""Files of word vectors in all common forms."""

import gzip

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.vector_file import word_vectors

PLAIN = "sun 1 2.5\nmoon -3 4e-1\n"


def read(tmp_path, text, size=2, is_wanted=lambda word: True, name="vectors.txt"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return {word: vector.tolist() for word, vector in word_vectors(str(path), size, is_wanted)}


SUN_AND_MOON = {"sun": [1.0, 2.5], "moon": [-3.0, pytest.approx(0.4)]}


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "2 2\n" + PLAIN,
        PLAIN.replace(" ", "\t"),
        PLAIN.replace("\n", " \n"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.rstrip("\n"),
        gzip.compress(PLAIN.encode()),
    ],
    ids=["plain", "header", "tabs", "space at the end", "CRLF", "no last line end", "gzip"],
)
def test_every_form_gives_the_same_vectors(tmp_path, text):
    assert read(tmp_path, text) == SUN_AND_MOON


def test_only_requested_words_are_returned(tmp_path):
    assert read(tmp_path, PLAIN, is_wanted=lambda word: word == "moon") == {"moon": SUN_AND_MOON["moon"]}


def test_a_word_may_hold_spaces_or_be_a_number(tmp_path):
    assert read(tmp_path, "sun 1 2\n. . . 3 4\n7 5 6\n") == {"sun": [1, 2], ". . .": [3, 4], "7": [5, 6]}


def test_a_space_is_a_word_where_tabs_separate_the_fields(tmp_path):
    assert read(tmp_path, "日\t1\t2\n \t3\t4\n") == {"日": [1, 2], " ": [3, 4]}


def test_broken_characters_do_not_stop_the_reading(tmp_path):
    assert read(tmp_path, b"s\xffn 1 2\nmoon 3 4\n")["moon"] == [3, 4]


def test_vectors_of_another_size_are_refused_with_their_size(tmp_path):
    with pytest.raises(ConfigurationError, match=r"have 3 numbers \(line 1\), but 2 are expected. Set the size to 3"):
        read(tmp_path, "sun 1 2 3\nmoon 4 5 6\n")


def test_a_line_that_breaks_off_is_an_error_with_its_number(tmp_path):
    with pytest.raises(ConfigurationError, match="vectors.txt:4 is not a word followed by 2 numbers: 'star 1'"):
        read(tmp_path, PLAIN + "earth 1 2\nstar 1\n")


def test_a_missing_file_is_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(ConfigurationError, match="no file of word vectors at .*nowhere.txt.*NER_ZOO_DATA"):
        list(word_vectors(str(tmp_path / "nowhere.txt"), 2, lambda word: True))


@pytest.mark.parametrize("value", ["nan", "-inf", "1e99"])
def test_a_number_that_is_not_finite_is_an_error_with_its_line(tmp_path, value):
    with pytest.raises(
        ConfigurationError, match=f"vectors.txt:3 is not a word followed by 2 numbers: 'earth 1 {value}'"
    ):
        read(tmp_path, PLAIN + f"earth 1 {value}\n")


def test_a_gzip_file_that_breaks_off_is_an_error_that_says_so(tmp_path):
    whole = gzip.compress("".join(f"word{n} {n * 0.37} {n * 1.3}\n" for n in range(500)).encode())
    with pytest.raises(
        ConfigurationError, match="vectors.txt.gz:[0-9]+ cannot be read.*Check that the file is complete"
    ):
        read(tmp_path, whole[: len(whole) // 2], name="vectors.txt.gz")
