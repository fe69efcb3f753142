import gzip
from dataclasses import replace

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.pretraining.text import Text

LINES = "Ada met Bo .\n\nRain fell\n"


def test_plain_text_is_cut_at_spaces_a_sentence_a_line(tmp_path):
    (tmp_path / "a.txt").write_text(LINES)
    with gzip.open(tmp_path / "b.txt.gz", "wt") as file:
        file.write("More rain")
    text = Text((str(tmp_path / "a.txt"), str(tmp_path / "b.txt.gz")), lowercase=True)
    assert list(text()) == [["ada", "met", "bo", "."], [], ["rain", "fell"], ["more", "rain"]]


def test_a_tokenizer_may_cut_it(tmp_path):
    (tmp_path / "a.txt").write_text("雨 了")
    assert [c for words in Text((str(tmp_path / "a.txt"),), tokenizer="characters")() for c in words if c.strip()] == [
        "雨",
        "了",
    ]


def test_tokens_come_from_a_corpus_by_name():
    sentences = list(Text(("fixtures/demo/dev.jsonl",), "span_json")())
    assert len(sentences) == 100 and all(isinstance(word, str) for word in sentences[0])


def test_tokens_come_from_any_dataset_reader(tmp_path):
    (tmp_path / "tags.tsv").write_text("Ada###PER met###O\n")
    assert list(Text((str(tmp_path / "tags.tsv"),), "sequence_tagging")()) == [["Ada", "met"]]


def test_a_text_is_recognised_by_its_files_and_how_they_are_read(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(LINES)
    text = Text((str(file),))
    before = text.identity()
    assert before == text.identity() != replace(text, lowercase=True).identity()
    file.write_text(LINES + "more")
    assert before != text.identity()


@pytest.mark.parametrize(
    "text, match",
    [
        (Text(("missing.txt",)), "no file"),
        (Text(("x",), "wnut", "{"), "not JSON"),
        (Text(("x",), "wnut", "[]"), "JSON object"),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(text, match):
    with pytest.raises(ConfigurationError, match=match):
        list(text())
