import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.conll import Conll
from ner_zoo.data.corpora.doccano import Doccano
from ner_zoo.data.corpora.span_json import SpanJson
from ner_zoo.data.corpora.wnut import Wnut
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.source_checks import checked_sentences

FIXTURES = Path(__file__).parents[2] / "fixtures"
TEXT = "Ada Quill moved to Lune and Maya Brook stayed in Oster."
SPANS = [(0, 9), (19, 23), (28, 38), (49, 54)]


def read(corpus, path):
    return list(checked_sentences(corpus, str(path), Repairs()))


def written(tmp_path, by_start, by_end):
    label = [[start + by_start, end + by_end, "X"] for start, end in SPANS]
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": f" {TEXT} ", "label": label}))
    return tmp_path / "a.jsonl"


def test_right_offsets_are_read(tmp_path):
    [sentence] = read(Doccano(), written(tmp_path, 1, 1))
    assert len(sentence.entities) == 4


@pytest.mark.parametrize("by_start, by_end", [(0, 0), (2, 2), (1, 0), (2, 1)])
def test_offsets_that_are_off_by_one_are_an_error_that_says_so(tmp_path, by_start, by_end):
    with pytest.raises(ConfigurationError, match="a.jsonl: .*off by one?"):
        read(Doccano(), written(tmp_path, by_start, by_end))


def test_a_few_entities_inside_words_are_fine(tmp_path):
    label = [[0, 9, "PER"], [19, 23, "LOC"], [28, 32, "PER"], [33, 36, "PART"]]
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": TEXT, "label": label}))
    [sentence] = read(Doccano(), tmp_path / "a.jsonl")
    assert "Bro" in sentence.tokens


@pytest.mark.parametrize(
    "corpus, path, name",
    [
        (SpanJson(), "prodigy/train.jsonl", "prodigy"),
        (SpanJson(), "prodigy/without_tokens.jsonl", "prodigy"),
        (SpanJson(), "hf_dataset/ids.jsonl", "hf_dataset"),
        (SpanJson(), "hf_dataset/strings.jsonl", "hf_dataset"),
        (SpanJson(), "label_studio/export.json", "label_studio"),
        (SpanJson(), "conll2003/eng.train", "conll"),
        (Conll(), "csv/words.csv", "csv"),
        (Conll(), "span_json/train.jsonl", "span_json"),
        (Wnut(), "webanno/document.tsv", "webanno"),
    ],
)
def test_the_wrong_reader_is_an_error_that_names_the_right_one(corpus, path, name):
    with pytest.raises(ConfigurationError, match=f'matches the reader "{name}"'):
        read(corpus, FIXTURES / path)


def test_a_reader_that_the_error_names_is_not_named_again(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(100))
    with pytest.raises(ConfigurationError, match="Use the reader") as error:
        read(Conll(), tmp_path / "a.parquet")
    assert str(error.value).count("hf_dataset") == 1


def test_a_later_error_is_unchanged(tmp_path):
    (tmp_path / "a.conll").write_text("Ada\tB-PER\n\n" + "moved\n")
    with pytest.raises(ConfigurationError, match="a.conll:3") as error:
        read(Conll(), tmp_path / "a.conll")
    assert "matches the reader" not in str(error.value)
