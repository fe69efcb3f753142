import json
from pathlib import Path

import pytest

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.argilla import Argilla
from tests.data.corpora.reading import reading

FIXTURES = Path(__file__).parents[3] / "fixtures" / "argilla"

read, refused = reading(Argilla)


def test_responses_are_read_and_records_without_one_counted():
    found, repairs = read(FIXTURES / "records.json")
    assert [sentence.entities for sentence in found] == [(Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)), ()]
    assert repairs == {"record without a response left out": 1}


def test_suggestions_are_read_on_request():
    found, repairs = read(FIXTURES / "records.json", Argilla(suggestions=True))
    assert [sentence.entities for sentence in found] == [(Entity.of("PER", 0, 1),)]
    assert repairs == {"record without a suggestion left out": 2}


def record(*values, text="Ada", **fields):
    responses = [{"value": value, "user_id": f"u{number}"} for number, value in enumerate(values)]
    return {"id": "r", "fields": fields or {"text": text}, "responses": {"entities": responses}}


def test_one_of_several_annotators_is_chosen(tmp_path):
    (tmp_path / "file").write_text(json.dumps([record([], [{"start": 0, "end": 3, "label": "PER"}])]))
    [sentence], _ = read(tmp_path / "file", Argilla(annotator="u1"))
    assert sentence.entities == (Entity.of("PER", 0, 1),)


@pytest.mark.parametrize(
    "wrong, said",
    [
        (record([], []), "annotator"),
        (record([{"start": 0, "end": 4, "label": "X"}]), "0 to 4"),
        (record([{"start": 0, "end": 3, "lable": "X"}]), "lable"),
        (record("PER"), "a list"),
        (record([], title="a", body="b"), "text_field"),
        ({"id": "r", "fields": {"text": "a"}, "responses": {"a": [], "b": []}}, "question"),
        ({"text": "Ada", "spans": []}, '"fields"'),
    ],
)
def test_errors_are_reported_with_file_and_record(tmp_path, wrong, said):
    message = refused(tmp_path, record([]), wrong)
    assert said in message and "record" in message
