import gzip

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.data.corpora.text_file import CHUNK, lines, read_text
from ner_zoo.data.repairs import Repairs


def write(tmp_path, content: bytes, name: str = "corpus"):
    path = tmp_path / name
    path.write_bytes(content)
    return str(path)


def texts(*arguments):
    return [line for _, line in lines(*arguments)]


def test_lines_are_numbered_from_one(tmp_path):
    assert list(lines(write(tmp_path, b"a\n\nb"))) == [(1, "a"), (2, ""), (3, "b")]


def test_a_line_end_at_the_end_of_the_file_makes_no_further_line(tmp_path):
    assert texts(write(tmp_path, b"a\nb\n")) == ["a", "b"]


def test_one_carriage_return_before_the_line_end_is_dropped(tmp_path):
    assert texts(write(tmp_path, b"a\r\nb\r\r\n\r\n")) == ["a", "b\r", ""]


@pytest.mark.parametrize(
    "character", ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\x00"]
)
def test_only_a_line_feed_ends_a_line(tmp_path, character):
    row = f"{character}\tO"
    assert texts(write(tmp_path, f"{row}\nb\tO\n".encode())) == [row, "b\tO"]


def test_gzip_is_recognised_by_its_content_not_its_name(tmp_path):
    assert texts(write(tmp_path, gzip.compress("ä\n".encode()), "corpus.txt")) == ["ä"]
    assert texts(write(tmp_path, "ä\n".encode(), "corpus.gz")) == ["ä"]


def test_a_byte_order_mark_is_dropped_at_the_start_of_the_file_only(tmp_path):
    path = write(tmp_path, "\ufeffa\n\ufeffb\n".encode())
    assert texts(path) == ["a", "\ufeffb"]
    assert texts(path, "utf-8") == ["a", "\ufeffb"]


def test_a_missing_file_is_called_missing_and_a_folder_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, problem in {
        "nope.txt": rf"^There is no file nope.txt. Check the path; it is relative to {tmp_path}.$",
        str(tmp_path / "nope.txt"): "nope.txt. Check the path.$",
        str(tmp_path): "is a folder. Use the path of a file.$",
    }.items():
        with pytest.raises(ConfigurationError, match=problem):
            texts(path)


def test_a_truncated_gzip_is_refused_with_file_and_line(tmp_path):
    text = "".join(f"{number}\tO\n" for number in range(20000))
    packed = gzip.compress(text.encode())
    path = write(tmp_path, packed[: len(packed) // 2])
    with pytest.raises(ConfigurationError, match=r"corpus:\d+ cannot be read"):
        list(lines(path))


def test_a_wrong_encoding_is_refused_at_the_line_that_does_not_decode(tmp_path):
    path = write(tmp_path, b"a\n" * 30000 + "é\n".encode("latin-1"))
    with pytest.raises(ConfigurationError, match="corpus:30001 cannot be decoded"):
        list(lines(path, "utf-8"))


def test_an_encoding_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="klingon"):
        list(lines(write(tmp_path, b"a"), "klingon"))


def test_a_guessed_encoding_counts_as_a_repair(tmp_path):
    repairs = Repairs()
    path = write(tmp_path, ("el niño y la niña\n" * 4).encode("latin-1"))
    assert texts(path, None, repairs)[0] == "el niño y la niña"
    assert list(repairs.counts) == ["file is not UTF-8, read as latin-1"]
    assert repairs.where["file is not UTF-8, read as latin-1"] == [f"{path}:1"]


def test_a_line_of_a_million_characters_is_one_line(tmp_path):
    assert [len(line) for line in texts(write(tmp_path, b"x" * 1_000_000 + b"\ny\n"))] == [1_000_000, 1]


def test_the_whole_text_keeps_its_line_ends(tmp_path):
    assert read_text(write(tmp_path, "ä\r\nb\n".encode())) == "ä\r\nb\n"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(alphabet=st.sampled_from("ab\n\r\té\u2028"), max_size=60), padding=st.integers(-3, 3))
def test_lines_are_the_text_cut_at_line_feeds_wherever_it_is_read_in_parts(tmp_path, content, padding):
    text = "x" * (CHUNK + padding) + content
    expected = [line[:-1] if line.endswith("\r") else line for line in text.split("\n")[:-1]]
    last = text.split("\n")[-1]
    assert texts(write(tmp_path, text.encode()), "utf-8") == expected + ([last] if last else [])
