import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources

DEMO = "fixtures/demo/dev.jsonl"


def sentences(path):
    corpus = Corpus.from_params(Params({"type": "span_json"}))
    return [sentence.source for source in sources(corpus, str(path)) for sentence in source.sentences(Repairs())]


def write(file, count):
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join([json.dumps({"tokens": ["a"], "entities": []})] * count))


def test_both_parts_together_are_the_corpus_and_share_nothing():
    rest, held_out = sentences(f"{DEMO} [all but every 7th]"), sentences(f"{DEMO} [every 7th]")
    assert (len(rest), len(held_out)) == (85, 15) and not set(rest) & set(held_out)


def test_of_many_files_whole_ones_are_held_out(tmp_path):
    for number in range(8):
        write(tmp_path / f"{number}.jsonl", 3)
    rest, held_out = sentences(f"{tmp_path} [all but every 4th]"), sentences(f"{tmp_path} [every 4th]")
    files = {source.rsplit("/", 1)[1].split(".")[0] for source in held_out}
    assert files == {"0", "4"} and len(held_out) == 6 and len(rest) == 18


def test_a_file_or_folder_behind_a_pattern_is_found(tmp_path):
    write(tmp_path / "train.jsonl", 2)
    write(tmp_path / "dev" / "data.jsonl", 3)
    assert len(sentences(tmp_path / "train*")) == 2
    assert len(sentences(tmp_path / "dev*")) == 3


def test_the_first_existing_alternative_is_read(tmp_path):
    write(tmp_path / "train.jsonl", 20)
    path = f"{tmp_path}/dev* or {tmp_path}/train* [every 10th]"
    assert len(sentences(path)) == 2
    write(tmp_path / "dev.jsonl", 5)
    assert len(sentences(path)) == 5


def test_without_an_existing_alternative_the_first_is_reported(tmp_path):
    with pytest.raises(ConfigurationError, match="no corpus file at .*dev"):
        sentences(f"{tmp_path}/dev* or {tmp_path}/train*")


def test_a_reader_that_validated_on_a_part_reads_the_whole_of_another_file():
    reader = DatasetReader.from_params(Params({"type": "span_json"}))
    assert len(list(reader.read(f"{DEMO} [every 10th]"))) == 10
    assert len(list(reader.read(DEMO))) == 100


def test_holding_out_everything_is_refused():
    with pytest.raises(ConfigurationError, match="nothing to train on"):
        sentences(f"{DEMO} [every 1st]")
