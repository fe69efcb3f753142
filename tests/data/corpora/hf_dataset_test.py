import json
from pathlib import Path

import datasets
import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.hf_dataset import HfDataset
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hf_dataset"
NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
ENTITIES = [(Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)), ()]


def read(path, corpus=None):
    corpus = corpus or HfDataset()
    return [s for file in corpus.files(str(path)) for s in corpus.sentences(file, Repairs())]


def entities(found):
    return [sentence.entities for sentence in found]


@pytest.fixture
def dataset():
    """The rows of the fixture as stored by the library, with names for the numbers."""
    rows = [json.loads(line) for line in (FIXTURES / "ids.jsonl").read_text().splitlines()]
    labels = datasets.List(datasets.ClassLabel(names=NAMES))
    features = datasets.Features({"tokens": datasets.List(datasets.Value("string")), "ner_tags": labels})
    return datasets.Dataset.from_list([{name: row[name] for name in features} for row in rows], features=features)


def test_strings_in_json_lines():
    assert entities(read(FIXTURES / "strings.jsonl")) == ENTITIES


def test_numbers_in_json_lines_need_names():
    assert entities(read(FIXTURES / "ids.jsonl", HfDataset(label_names=NAMES))) == ENTITIES
    with pytest.raises(ConfigurationError, match=r"ids.jsonl:1.*label_names"):
        read(FIXTURES / "ids.jsonl")


def test_parquet_holds_the_names(tmp_path, dataset):
    dataset.to_parquet(tmp_path / "train.parquet")
    assert entities(read(tmp_path / "train.parquet")) == ENTITIES


def test_a_saved_folder_holds_the_names(tmp_path, dataset):
    dataset.save_to_disk(tmp_path / "saved", num_shards=2)
    assert entities(read(tmp_path / "saved")) == ENTITIES


def test_a_saved_folder_of_splits_is_refused_by_their_names(tmp_path, dataset):
    datasets.DatasetDict({"train": dataset, "test": dataset}).save_to_disk(tmp_path / "saved")
    with pytest.raises(ConfigurationError, match="the splits test, train"):
        read(tmp_path / "saved")
    assert entities(read(tmp_path / "saved" / "train")) == ENTITIES


def test_parquet_without_names_asks_for_them(tmp_path, dataset):
    import pyarrow
    import pyarrow.parquet

    plain = pyarrow.table({"tokens": [["a"]], "ner_tags": [[1]]})
    pyarrow.parquet.write_table(plain, tmp_path / "a.parquet")
    with pytest.raises(ConfigurationError, match=r"a.parquet:1.*label_names"):
        read(tmp_path / "a.parquet")


def test_columns_with_other_names(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"Words": ["Ada"], "Marks": ["B-PER"]}))
    with pytest.raises(ConfigurationError, match="Marks.*Words"):
        read(tmp_path / "a.jsonl")
    [sentence] = read(tmp_path / "a.jsonl", HfDataset(tokens_field="Words", tags_field="Marks"))
    assert sentence.entities == (Entity.of("PER", 0, 1),)


@pytest.mark.parametrize(
    "record, said",
    [
        ({"tokens": ["a"], "ner_tags": [9]}, "the tag 9"),
        ({"tokens": ["a"], "ner_tags": [-100]}, "the tag -100"),
        ({"tokens": ["a"], "ner_tags": [0, 0]}, "1 tokens and 2 tags"),
        ({"tokens": "a", "ner_tags": [0]}, "a list"),
        ({"tokens": [1], "ner_tags": [0]}, "a string"),
        ({"tokens": ["a"], "ner_tags": [1.5]}, "whole number"),
        ({"tokens": ["a"], "etiquettes": [0]}, "etiquettes"),
        ({"text": "a", "spans": []}, "tokens"),
    ],
)
def test_errors_are_reported_with_file_and_line(tmp_path, record, said):
    file = tmp_path / "file.jsonl"
    file.write_text(json.dumps({"tokens": ["a"], "ner_tags": [0]}) + "\n" + json.dumps(record))
    with pytest.raises(ConfigurationError, match=f"{file}:2") as error:
        read(file, HfDataset(label_names=NAMES))
    assert said in str(error.value)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_damaged_tables_are_refused_with_the_file(tmp_path, dataset, ending):
    file = tmp_path / f"a.{ending}"
    dataset.to_parquet(tmp_path / "whole.parquet")
    file.write_bytes((tmp_path / "whole.parquet").read_bytes()[:100])
    with pytest.raises(ConfigurationError, match=str(file)):
        read(file)


def test_a_table_without_the_columns_is_refused_with_those_it_has(tmp_path):
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"sentence": ["a"], "mark": [1]}), tmp_path / "a.parquet")
    with pytest.raises(ConfigurationError, match=r"a.parquet:1.*\['sentence', 'mark'\]"):
        read(tmp_path / "a.parquet")
