import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.label_studio import LabelStudio
from tests.data.corpora.reading import reading

FIXTURES = Path(__file__).parents[3] / "fixtures" / "label_studio"
read, refused = reading(LabelStudio)

ADA, LUNE, CITY = Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5), Entity.of("CITY", 4, 5)


def test_json_has_regions_with_several_labels_and_relations():
    found, repairs = read(FIXTURES / "export.json")
    assert [sentence.entities for sentence in found] == [(ADA, LUNE, CITY), ()]
    assert found[0].relations == (Relation("MOVES_TO", ADA, LUNE),)
    assert repairs == {"result of the type choices ignored": 1, "task without annotation left out": 1}


def test_json_min_has_regions():
    found, repairs = read(FIXTURES / "export_min.json")
    assert [sentence.entities for sentence in found] == [(ADA, LUNE), ()] and not repairs


def test_predictions_are_read_on_request():
    found, repairs = read(FIXTURES / "export.json", LabelStudio(predictions=True))
    assert [sentence.entities for sentence in found] == [(Entity.of("PER", 0, 1),)]
    assert repairs == {"task without prediction left out": 2}


@pytest.mark.parametrize("annotator, entities", [(1, (Entity.of("PER", 0, 1),)), ("bo@example.org", ())])
def test_one_of_several_annotators_is_chosen(annotator, entities):
    [sentence], _ = read(FIXTURES / "two_annotators.json", LabelStudio(annotator=annotator))
    assert sentence.entities == entities


def test_several_annotators_without_a_choice_are_refused_by_name():
    with pytest.raises(ConfigurationError, match="task 7.*by 1, bo@example.org.*`annotator`"):
        read(FIXTURES / "two_annotators.json")


def test_the_ground_truth_is_preferred(tmp_path):
    [task] = json.loads((FIXTURES / "two_annotators.json").read_text())
    task["annotations"][0]["ground_truth"] = True
    (tmp_path / "file.json").write_text(json.dumps([task]))
    [sentence], _ = read(tmp_path / "file.json")
    assert sentence.entities == (Entity.of("PER", 0, 1),)


def test_offsets_of_older_versions_count_utf16_units():
    [sentence], repairs = read(FIXTURES / "utf16.json")
    assert sentence.tokens[sentence.entities[0].start] == "Ada" and repairs == {"offsets in UTF-16 units": 1}


@pytest.mark.parametrize("direction, pairs", [("left", [(1, 0)]), ("bi", [(0, 1), (1, 0)])])
def test_a_relation_has_a_direction(tmp_path, direction, pairs):
    task = json.loads((FIXTURES / "export.json").read_text())[0]
    task["annotations"][0]["result"][2]["direction"] = direction
    (tmp_path / "file.json").write_text(json.dumps([task]))
    [sentence], _ = read(tmp_path / "file.json")
    assert [(r.head, r.tail) for r in sentence.relations] == [((ADA, LUNE)[h], (ADA, LUNE)[t]) for h, t in pairs]


def task(*results, **data):
    return {"id": 5, "data": data or {"text": "Ada"}, "annotations": [{"completed_by": 1, "result": list(results)}]}


def region(start=0, end=3, kind="labels", **value):
    return {"id": "a", "type": kind, "value": {"start": start, "end": end, "labels": ["PER"], **value}}


@pytest.mark.parametrize(
    "record, said",
    [
        (task(region(end=4)), "0 to 4"),
        (task(region(start="0")), "whole number"),
        (task(region(labels="PER")), "a list"),
        (task(region(kind="hypertextlabels")), "hypertextlabels"),
        (task(region(), region()), "two regions"),
        (task({"type": "relation", "from_id": "a"}), "to_id"),
        (task({"type": "relation", "from_id": "a", "to_id": "a", "direction": "up", "labels": ["r"]}), "up"),
        (task(title="a", body="b"), "text_field"),
        (task({"no": "type"}), '"type"'),
        ({"text": "Ada", "spans": [{"start": 0, "end": 3, "label": "PER"}]}, "spans"),
    ],
)
def test_errors_are_reported_with_file_line_and_task(tmp_path, record, said):
    message = refused(tmp_path, task(), record)
    assert said in message and "task" in message


def test_the_text_may_be_in_another_field(tmp_path):
    (tmp_path / "file.json").write_text(json.dumps([task(region(), title="x", body="Ada")]))
    [sentence], _ = read(tmp_path / "file.json", LabelStudio(text_field="body"))
    assert sentence.text == "Ada"


def test_of_two_annotators_in_json_min_one_is_chosen(tmp_path):
    region = {"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}
    records = [{"id": 1, "text": "Ada left.", "annotator": 4}, {"id": 1, "text": "Ada left.", "annotator": 5}]
    records[1]["label"] = [region]
    message = refused(tmp_path, *records)
    assert "(task 1) has a second annotation by 5, after one by 4" in message
    found, repairs = read(tmp_path / "file.json", LabelStudio(annotator=5))
    assert [len(sentence.entities) for sentence in found] == [1]
    assert repairs == {"annotation by another annotator left out": 1}
