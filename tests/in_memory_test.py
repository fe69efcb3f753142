"""Training from Python, without files of the user."""

import json
import random
import subprocess
import sys
from pathlib import Path

import datasets
import pandas
import pytest
import spacy
from allennlp.common.checks import ConfigurationError

from ner_zoo import Example, train
from ner_zoo.example import record_of

PEOPLE = ("Ada", "Mirel Astor", "Dov", "Ione Prask")
PLACES = ("Aubray", "Port Sel", "Lower Min")


def examples(number: int, seed: int = 1) -> list[Example]:
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        person, place = draw.choice(PEOPLE), draw.choice(PLACES)
        text = f"{person} walked to {place}."
        start = len(person) + len(" walked to ")
        entities = [(0, len(person), "PER"), (start, start + len(place), "LOC")]
        found.append(Example(text, entities, [(0, 1, "went_to")]))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("in_memory")


@pytest.fixture(scope="module")
def model(folder):
    return train(examples(80), examples(30, seed=2), epochs=25, folder=str(folder))


def test_a_model_learns_from_examples_in_memory(model):
    found = [(entity.text, entity.type) for entity in model("Ione Prask walked to Aubray.").entities]
    assert found == [("Ione Prask", "PER"), ("Aubray", "LOC")]
    assert set(model.labels) == {"PER", "LOC"}


def test_the_command_line_repeats_the_run(model, folder, tmp_path):
    command = [Path(sys.executable).with_name("allennlp"), "train", folder / "config.jsonnet", "-s", tmp_path / "again"]
    subprocess.run(command, check=True, capture_output=True)
    metrics = [json.loads((run / "metrics.json").read_text()) for run in (folder / "run", tmp_path / "again")]
    assert metrics[0]["best_validation_entity_f1"] == metrics[1]["best_validation_entity_f1"]
    assert metrics[0]["best_validation_loss"] == metrics[1]["best_validation_loss"]


def test_docs_of_spacy_and_rows_of_a_dataset_are_examples_too(tmp_path):
    nlp = spacy.blank("en")
    docs = []
    for one in examples(12):
        doc = nlp(one.text)
        doc.ents = [doc.char_span(start, end, label=type) for start, end, type in one.entities]
        docs.append(doc)
    assert set(train(docs, examples(4), epochs=1, folder=str(tmp_path / "docs")).labels) == {"PER", "LOC"}
    rows = [{"tokens": ["Ada", "Lovelace", "sings"], "ner_tags": [1, 2, 0]}] * 12
    model = train(rows, epochs=1, label_names=["O", "B-PER", "I-PER"], folder=str(tmp_path / "rows"))
    assert model.labels == ("PER",)


def test_a_dataset_names_its_tags_itself(tmp_path):
    tags = datasets.List(datasets.ClassLabel(names=["O", "B-PER", "I-PER"]))
    features = datasets.Features({"tokens": datasets.List(datasets.Value("string")), "ner_tags": tags})
    rows = {"tokens": [["Ada", "Lovelace", "sings"]] * 12, "ner_tags": [[1, 2, 0]] * 12}
    dataset = datasets.Dataset.from_dict(rows, features=features)
    assert train(dataset, epochs=1, folder=str(tmp_path / "dataset")).labels == ("PER",)
    table = dataset.to_pandas().assign(when=pandas.Timestamp(0)).to_dict("records")
    assert train(table, epochs=1, label_names=["O", "B-PER", "I-PER"], folder=str(tmp_path)).labels == ("PER",)
    with pytest.raises(ConfigurationError, match="the splits train, test"):
        train(datasets.DatasetDict(train=dataset, test=dataset))


def test_nested_spans_of_docs_and_pairs_of_older_spacy_are_written_as_they_are(tmp_path):
    doc = spacy.blank("en")("the University of Aubray")
    doc.ents = [doc.char_span(4, 24, label="ORG")]
    doc.spans["sc"] = [doc.char_span(18, 24, label="LOC"), doc.char_span(4, 24, label="ORG")]
    entities = [{"start": 4, "end": 24, "type": "ORG"}, {"start": 18, "end": 24, "type": "LOC"}]
    assert record_of(doc, 1) == {"text": doc.text, "entities": entities, "relations": []}
    pair = ("Ada sang.", {"entities": [(0, 3, "PER")]})
    assert record_of(pair, 1) == {"text": "Ada sang.", "entities": [(0, 3, "PER")]}
    doc.spans["sc"].append(doc[0:1])
    with pytest.raises(ConfigurationError, match="Example 1 has a span without a label: 'the'"):
        record_of(doc, 1)


def test_relations_are_learned_by_the_joint_model(tmp_path):
    model = train(examples(80), model="joint_relation", epochs=15, folder=str(tmp_path))
    (relation,) = model("Dov walked to Lower Min.").relations
    assert (relation.head.text, relation.type, relation.tail.text) == ("Dov", "went_to", "Lower Min")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "no examples"),
        (["text"], "Example 1 is str"),
        ([Example("a b", [(0, 1)])], "An entity must be"),
        ([Example("a"), {"tokens": ["a"], "ner_tags": ["O"]}], "same format"),
        ([{"text": "a", "entities": [{"start": 0, "end": 1, "type": object()}]}], "An example contains object"),
    ],
)
def test_unusable_examples_are_refused(given, message, tmp_path):
    with pytest.raises(ConfigurationError, match=message):
        train(given, folder=str(tmp_path))


def test_an_unknown_model_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="tagger, span, joint_relation"):
        train(examples(2), model="tager", folder=str(tmp_path))
