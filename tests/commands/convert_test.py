import json
import sys
from pathlib import Path

import datasets
import pytest
from allennlp.commands import main

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def convert(monkeypatch, capsys):
    """Runs `allennlp convert` with the arguments and returns its output."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["allennlp", "convert", *map(str, arguments)])
        main()
        return capsys.readouterr().out

    return run


def test_what_the_target_cannot_hold_is_counted(convert, tmp_path):
    said = convert(FIXTURES / "span_json/train.jsonl", "--to", "conll", "-o", tmp_path / "a.conll")
    assert "5 sentences, 13 entities, 6 relations read." in said
    for line in ("6 × relation left out", "1 × discontinuous entity left out", "4 × entity that overlaps a wider one"):
        assert line in said
    assert (tmp_path / "a.conll").read_text().startswith("Jane\tB-PER\nRoe\tI-PER\nvisits\tO\n")


def test_a_folder_of_brat_becomes_a_folder_of_datasets(convert, tmp_path):
    said = convert(FIXTURES / "nerel/train", "--to", "hf_dataset", "-o", tmp_path / "saved")
    rows = datasets.load_from_disk(tmp_path / "saved")
    assert rows.column_names == ["tokens", "ner_tags"] and f"{len(rows):,} sentences" in said


def test_what_comes_back_from_a_tool_is_what_was_sent(convert, tmp_path):
    convert(FIXTURES / "prodigy/train.jsonl", "--to", "label_studio", "-o", tmp_path / "tasks.json")
    said = convert(tmp_path / "tasks.json", "--to", "span_json", "-o", tmp_path / "a.jsonl")
    assert "2 sentences, 2 entities, 1 relations written" in said
    first = json.loads((tmp_path / "a.jsonl").read_text().split("\n")[0])
    assert [entity["type"] for entity in first["entities"]] == ["PER", "LOC"]


def test_options_of_the_target_are_given_as_json(convert, tmp_path):
    options = ("--writer-params", '{"relations": true}')
    convert(FIXTURES / "prodigy/train.jsonl", "--to", "doccano", *options, "-o", tmp_path / "a.jsonl")
    assert json.loads((tmp_path / "a.jsonl").read_text().split("\n")[0])["relations"][0]["type"] == "MOVES_TO"


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--to", "conll", "-o", "INPUT"], "is also an input"),
        (["--to", "conll", "-o", "out", "--writer-params", "[]"], "--writer-params must be a JSON object"),
        (["--to", "conll", "-o", "out", "--writer-params", '{"sheme": "BIO"}'], "sheme"),
        (["--to", "standoff", "-o", "FULL"], "not empty"),
        (["--to", "hf_dataset", "-o", "FULL"], "not empty"),
    ],
)
def test_errors_are_reported_before_anything_is_written(monkeypatch, capsys, tmp_path, arguments, said):
    (tmp_path / "full").mkdir()
    file = tmp_path / "full" / "a.conll"
    file.write_text("Ada\tB-PER\n")
    names = {"INPUT": str(file), "FULL": str(tmp_path / "full"), "out": str(tmp_path / "out")}
    given = [names.get(argument, argument) for argument in arguments]
    monkeypatch.setattr(sys, "argv", ["allennlp", "convert", str(file), *given])
    with pytest.raises((SystemExit, Exception)) as error:
        main()
    assert said in str(error.value) + capsys.readouterr().err
    assert file.read_text() == "Ada\tB-PER\n" and not (tmp_path / "out").exists()
