import json
from pathlib import Path

import pytest

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.gliner_json import GlinerJson
from tests.data.corpora.reading import reading

FIXTURES = Path(__file__).parents[3] / "fixtures" / "gliner_json"

read, refused = reading(GlinerJson)


def test_ends_are_included_and_relations_are_of_either_form():
    found, repairs = read(FIXTURES / "train.json")
    person, place = Entity.of("person", 0, 2), Entity.of("place", 4, 5)
    assert found[0].entities == (person, place, Entity.of("first name", 0, 1))
    assert found[0].relations == (Relation("moved_to", person, place),)
    assert found[1].relations == (Relation("lies_in", Entity.of("place", 0, 1), Entity.of("place", 3, 4)),)
    assert found[2].entities == () and not repairs


@pytest.mark.parametrize(
    "record, said",
    [
        ({"tokenized_text": ["a"], "ner": [[0, 1, "X"]]}, "tokens"),
        ({"tokenized_text": ["a"], "ner": [[1, 0, "X"]]}, "tokens"),
        ({"tokenized_text": ["a"], "ner": [[0, 0]]}, "type"),
        ({"tokenized_text": ["a"], "ner": [["0", 0, "X"]]}, "whole number"),
        ({"tokenized_text": "a", "ner": []}, "a list"),
        ({"tokenized_text": ["a"], "ner": [], "relations": [[0, 0]]}, "2 elements"),
        ({"tokenized_text": ["a"], "entities": [{"start": 0}]}, '"entities"'),
        ({"tokens": ["a"], "ner": []}, "tokenized_text"),
    ],
)
def test_errors_are_reported_with_file_line_and_record(tmp_path, record, said):
    message = refused(tmp_path, {"tokenized_text": ["a"], "ner": []}, record)
    assert said in message and "record 2" in message


def test_a_relation_to_no_entity_is_counted(tmp_path):
    (tmp_path / "file").write_text(json.dumps({"tokenized_text": ["a"], "ner": [], "relations": [[0, 1, "r"]]}))
    assert read(tmp_path / "file")[1] == {"relation to a missing entity left out": 1}
