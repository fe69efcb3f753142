import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.prodigy import Prodigy
from tests.data.corpora.reading import reading

FIXTURES = Path(__file__).parents[3] / "fixtures" / "prodigy"
read, refused = reading(Prodigy)

ADA, LUNE = Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)


def test_a_text_with_tokens_is_one_sentence_with_its_spans_and_relations():
    found, repairs = read(FIXTURES / "train.jsonl")
    assert [sentence.tokens for sentence in found] == [
        ("Ada", "Quill", "moved", "to", "Lune", "."),
        ("Nobody", "came", "."),
    ]
    assert found[0].entities == (ADA, LUNE) and found[0].relations == (Relation("MOVES_TO", ADA, LUNE),)
    assert repairs == {'text with the answer "reject" left out': 1, 'text with the answer "ignore" left out': 1}


def test_rejected_texts_are_read_on_request():
    found, _ = read(FIXTURES / "train.jsonl", Prodigy(answers=["reject"]))
    assert [sentence.tokens[0] for sentence in found] == ["Lune"]


def test_a_text_without_tokens_is_cut_into_sentences_and_tokens():
    found, repairs = read(FIXTURES / "without_tokens.jsonl")
    assert [sentence.entities for sentence in found] == [(ADA, LUNE), (Entity.of("LOC", 3, 4),), ()] and not repairs


def test_relations_may_name_tokens_and_spans_may_be_given_by_tokens(tmp_path):
    record = json.loads((FIXTURES / "train.jsonl").read_text().split("\n")[0])
    for span in record["spans"]:
        del span["start"], span["end"]
    for name in ("head_span", "child_span"):
        del record["relations"][0][name]
    (tmp_path / "file").write_text(json.dumps(record))
    [sentence], _ = read(tmp_path / "file")
    assert sentence.entities == (ADA, LUNE) and sentence.relations == (Relation("MOVES_TO", ADA, LUNE),)


@pytest.mark.parametrize(
    "record, said",
    [
        ({"spans": []}, '"text"'),
        ({"text": "a", "spans": [{"start": 0, "end": 2, "label": "X"}]}, "0 to 2"),
        ({"text": "a", "spans": [{"start": 0, "end": 1, "lable": "X"}]}, "lable"),
        ({"text": "a", "spans": [{"start": "0", "end": 1, "label": "X"}]}, "whole number"),
        ({"text": "a", "spans": {"start": 0}}, "a list"),
        ({"text": "a", "answer": "maybe"}, "maybe"),
        ({"text": "a", "tokens": [{"text": "a", "start": 0, "end": 9}]}, "0 to 9"),
        ({"text": "a", "label": [[0, 1, "PER"]]}, '"label"'),
        ({"text": "a", "entities": [{"start": 0, "end": 1, "label": "PER"}]}, '"entities"'),
        ({"text": "a", "tokens": [], "relations": [{"head": 0, "child": 3, "label": "r"}]}, "token 0"),
    ],
)
def test_errors_are_reported_with_file_and_line(tmp_path, record, said):
    assert said in refused(tmp_path, {"text": "a", "spans": []}, record)


def test_an_unknown_answer_in_the_config_is_refused():
    with pytest.raises(ConfigurationError, match="accept, reject, ignore"):
        Prodigy(answers=["yes"])


def test_white_space_counts_among_the_tokens_that_spans_and_relations_name(tmp_path):
    tokens = [("\n", 0, 1), ("Ada", 1, 4), ("met", 5, 8), ("Dov", 9, 12)]
    record = {
        "text": "\nAda met Dov",
        "tokens": [
            {"text": text, "start": start, "end": end, "id": id} for id, (text, start, end) in enumerate(tokens)
        ],
        "spans": [{"token_start": number, "token_end": number, "label": "PER"} for number in (1, 3)],
        "relations": [{"head": 1, "child": 3, "label": "MET"}],
    }
    (tmp_path / "file").write_text(json.dumps(record))
    [sentence], _ = read(tmp_path / "file")
    first, second = Entity.of("PER", 0, 1), Entity.of("PER", 2, 3)
    assert sentence.tokens == ("Ada", "met", "Dov")
    assert sentence.entities == (first, second) and sentence.relations == (Relation("MET", first, second),)


def test_a_binary_answer_says_nothing_about_the_rest_of_the_text():
    [sentence], repairs = read(FIXTURES / "binary.jsonl")
    assert sentence.tokens == ("Ada", "Quill", "saw", "Dov", ".")
    assert sentence.entities == (ADA,) and sentence.unknown == (2, 3, 4)
    assert repairs == {'text with the answer "reject" left out': 1}


def test_a_rejected_span_is_not_an_entity_and_may_be_of_another_type():
    [sentence], repairs = read(FIXTURES / "binary.jsonl", Prodigy(answers=["reject"]))
    assert sentence.entities == () and sentence.unknown == (0, 1, 2, 3, 4)
    assert repairs['span with the answer "reject" left out'] == 1


def test_spans_may_have_answers_of_their_own(tmp_path):
    spans = [
        {"start": 0, "end": 3, "label": "PER", "answer": "accept"},
        {"start": 8, "end": 11, "label": "PER", "answer": "reject"},
    ]
    (tmp_path / "file").write_text(json.dumps({"text": "Ada met Dov", "spans": spans, "answer": "accept"}))
    [sentence], repairs = read(tmp_path / "file")
    assert sentence.entities == (Entity.of("PER", 0, 1),) and sentence.unknown == (1, 2)
    assert repairs == {'span with the answer "reject" left out': 1}


def test_old_exports_tell_binary_answers_by_their_interface(tmp_path):
    record = json.loads((FIXTURES / "binary.jsonl").read_text().split("\n")[0])
    del record["_is_binary"]
    (tmp_path / "file").write_text(json.dumps(record))
    assert read(tmp_path / "file")[0][0].unknown == (2, 3, 4)


def test_two_annotators_of_one_text_are_counted_and_one_can_be_chosen(tmp_path):
    record = json.loads((FIXTURES / "train.jsonl").read_text().split("\n")[0])
    other = {**record, "spans": [], "relations": [], "_annotator_id": "dov", "_session_id": "dov"}
    (tmp_path / "file").write_text(json.dumps(record) + "\n" + json.dumps(other))
    found, repairs = read(tmp_path / "file")
    assert len(found) == 2
    assert repairs == {"text with two annotators read twice; set `annotator` to choose one": 1}
    [sentence], repairs = read(tmp_path / "file", Prodigy(annotator="dov"))
    assert not sentence.entities and repairs == {"annotation by another annotator left out": 1}


def test_relations_between_tokens_need_tokens(tmp_path):
    record = {"text": "a", "spans": [], "relations": [{"head": 0, "child": 0, "label": "r"}]}
    assert "db-out" in refused(tmp_path, record)
