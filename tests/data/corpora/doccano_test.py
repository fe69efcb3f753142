from pathlib import Path

import pytest

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.doccano import Doccano
from tests.data.corpora.reading import reading

FIXTURES = Path(__file__).parents[3] / "fixtures" / "doccano"
read, refused = reading(Doccano)

ADA, LUNE = Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)


@pytest.mark.parametrize(
    "file, names", [("labels.jsonl", None), ("relations.jsonl", None), ("label_ids.jsonl", {"4": "PER", "5": "LOC"})]
)
def test_all_forms_give_the_same_entities(file, names):
    found, repairs = read(FIXTURES / file, Doccano(label_names=names))
    assert found[0].entities == (ADA, LUNE) and not any(s.entities for s in found[1:]) and not repairs
    assert found[0].relations == ((Relation("MOVES_TO", ADA, LUNE),) if "relations" in file else ())


@pytest.mark.parametrize(
    "record, said",
    [
        ({"label": [[0, 1, "X"]]}, '"text"'),
        ({"text": "a", "label": [[0, 2, "X"]]}, "0 to 2"),
        ({"text": "a", "label": [[0, 1]]}, "None"),
        ({"text": "a", "label": [["0", 1, "X"]]}, "whole number"),
        ({"text": "a", "label": [[0, 1, 7]]}, "label_names"),
        ({"text": "a", "entities": [{"id": 1, "label": "X", "start_offset": 0}]}, '"end"'),
        ({"text": "a", "entities": [{"id": 1, "label": 9, "start_offset": 0, "end_offset": 1}]}, "label_names"),
        ({"text": "a", "entities": [], "relations": [{"from_id": 1, "type": "r"}]}, "to_id"),
        ({"text": "a", "entities": [{"id": 1, "label": "X", "start_offset": 0, "end_offset": 1}] * 2}, "id 1"),
        ({"text": "a", "spans": [{"start": 0, "end": 1, "label": "PER"}]}, '"spans"'),
    ],
)
def test_errors_are_reported_with_file_and_line(tmp_path, record, said):
    assert said in refused(tmp_path, {"text": "a", "label": []}, record)
