import gzip
import json
import logging
from pathlib import Path

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from spacy.tokens import DocBin

from ner_zoo.data.corpora.auto import Auto, announce, recognised, the_only_format
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tokenizers import Characters

FIXTURES = Path(__file__).parents[3] / "fixtures"

EXPECTED = {
    "prodigy/train.jsonl": "prodigy",
    "prodigy/without_tokens.jsonl": "prodigy",
    "label_studio/export.json": "label_studio",
    "label_studio/export_min.json": "label_studio",
    "doccano/labels.jsonl": "doccano",
    "doccano/relations.jsonl": "doccano",
    "doccano/label_ids.jsonl": "doccano",
    "hf_dataset/ids.jsonl": "hf_dataset",
    "hf_dataset/strings.jsonl": "hf_dataset",
    "webanno/document.tsv": "webanno",
    "conllu/train.conllu": "conllu",
    "gliner_json/train.json": "gliner_json",
    "csv/words.csv": "csv",
    "csv/entities.csv": "csv",
    "argilla/records.json": "argilla",
    "span_json/train.jsonl": "span_json",
    "demo/train.jsonl": "span_json",
    "conll2002/esp.train": "conll",
    "conll2003/eng.train": "conll",
    "wnut17/wnut17train.conll": "conll",
    "resume/train.char.bmes": "conll",
    "conll04/train.txt": "conll04",
    "germeval14/NER-de-dev.tsv": "germeval14",
    "cadec_json/train.json": "cadec",
    "cadec/original": "standoff",
    "nerel/train": "standoff",
    "nyt/train.json": "nyt",
}


@pytest.mark.parametrize("path, name", EXPECTED.items())
def test_the_fixtures_are_recognised(path, name):
    assert the_only_format(str(FIXTURES / path))[0] == name


def test_a_docbin_is_recognised(tmp_path):
    DocBin(docs=[spacy.blank("en")("Ada moved.")]).to_disk(tmp_path / "train.bin")
    assert the_only_format(str(tmp_path / "train.bin")) == ("docbin", "it is a spaCy DocBin")


def test_the_choice_and_its_reason_are_one_line_of_the_log(caplog):
    file = str(FIXTURES / "doccano" / "labels.jsonl")
    announce.cache_clear()
    with caplog.at_level(logging.WARNING):
        corpus = Auto()
        found = [list(corpus.sentences(file, Repairs())) for _ in range(2)]
    assert found[0] == found[1] == list(Corpus.by_name("doccano")().sentences(file, Repairs()))
    assert [record.getMessage() for record in caplog.records] == [
        f'Reading {file} as doccano: its records have a text with a list of [start, end, type] as "label".'
    ]


@pytest.mark.parametrize("path", ["nerel/train", "prodigy", "cadec/original"])
def test_a_folder_is_read_as_its_format_reads_it(path):
    corpus = Auto()
    files = corpus.files(str(FIXTURES / path))
    assert files and not any(file.endswith((".txt", ".md")) for file in files)
    assert all(list(corpus.sentences(file, Repairs())) for file in files)


def test_two_formats_that_fit_are_an_error_naming_both(tmp_path):
    with pytest.raises(ConfigurationError, match=r"genia.dev.iob2:1 matches more than one reader: conll .*; genia "):
        the_only_format(str(FIXTURES / "genia" / "genia.dev.iob2"))
    record = {"text": "Ada", "spans": [], "entities": [{"type": "PER", "start": 0, "end": 3}]}
    (tmp_path / "both.jsonl").write_text(json.dumps(record))
    assert set(recognised(str(tmp_path / "both.jsonl"))) == {"prodigy", "span_json"}


def test_a_file_of_no_format_shows_its_fields_or_its_first_row(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"body": "Ada", "marks": [1]}')
    with pytest.raises(ConfigurationError, match="a.jsonl:1 .* the fields body, marks. Name the reader"):
        the_only_format(str(tmp_path / "a.jsonl"))
    (tmp_path / "a.txt").write_text("Ada moved.\n")
    with pytest.raises(ConfigurationError, match="a.txt:1 .*'Ada moved.'"):
        the_only_format(str(tmp_path / "a.txt"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[\n {"text": "Ada', "looks like JSON, but its first record cannot be parsed .*line 2"),
        ("[]", "an empty JSON list"),
        ('[["Ada", {"entities": []}]]', "a JSON list, but not a list of objects"),
    ],
)
def test_json_without_a_record_is_named_as_such(tmp_path, text, reason):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ConfigurationError, match=f"a.json:1 is not in a known format: it .*{reason}"):
        the_only_format(str(tmp_path / "a.json"))


def test_a_damaged_file_is_recognised_and_then_refused_where_it_breaks_off(tmp_path):
    packed = gzip.compress((FIXTURES / "doccano" / "labels.jsonl").read_bytes() * 2000)
    (tmp_path / "a.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(ConfigurationError, match=r"a.jsonl.gz:\d\d+ cannot be read .*Check that the file is complete"):
        list(Auto().sentences(str(tmp_path / "a.jsonl.gz"), Repairs()))


def test_two_tools_mixed_are_refused_where_the_second_begins(tmp_path):
    mixed = tmp_path / "a.jsonl"
    lines = [(FIXTURES / path).read_text() for path in ("prodigy/without_tokens.jsonl", "doccano/labels.jsonl")]
    mixed.write_text("".join(lines))
    with pytest.raises(
        ConfigurationError,
        match="it mixes formats: record 1 is in the format prodigy and record 3 is in the format doccano",
    ):
        the_only_format(str(mixed))
    with pytest.raises(ConfigurationError, match='a.jsonl:3 has the field "label"'):
        list(Corpus.by_name("prodigy")().sentences(str(mixed), Repairs()))


def test_options_go_to_the_format_or_are_refused():
    corpus = Auto(tokenizer=Characters())
    [first, *_] = corpus.sentences(str(FIXTURES / "doccano" / "labels.jsonl"), Repairs())
    assert first.tokens[:3] == ("A", "d", "a")
    with pytest.raises(ConfigurationError, match="read as conll, which has no option tokenizer"):
        list(corpus.sentences(str(FIXTURES / "conll2003" / "eng.train"), Repairs()))


def test_it_is_a_reader_like_the_others():
    reader = DatasetReader.by_name("auto")(Auto())
    assert len(list(reader.read(str(FIXTURES / "prodigy" / "without_tokens.jsonl")))) == 3
