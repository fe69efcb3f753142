"""`allennlp predict` through its own parser, in this process."""

import json
from pathlib import Path
from typing import Any

import pytest
from allennlp.commands import parse_args
from allennlp.common.checks import ConfigurationError

from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]
LINES = b'Edda Abernathy sings.\n\n{"text": 5}\n{"tokens": ["Edda"]}\n\xff\n'


def run(archive: Path, folder: Path, *extra: str) -> list[Any]:
    (folder / "in.txt").write_bytes(LINES)
    command = ["predict", str(archive), str(folder / "in.txt"), "--silent", "--output-file", str(folder / "out.jsonl")]
    arguments = parsed([*command, *extra])
    arguments.func(arguments)
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def parsed(command: list[str]) -> Any:
    """The words parsed by the `allennlp` command line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["allennlp", *command])
        return parse_args("allennlp")[1]


@pytest.mark.parametrize("extra", [(), ("--batch-size", "1")])
def test_every_line_has_an_output_and_an_error_names_its_line(tagger_archive, tmp_path, extra) -> None:
    outputs = run(tagger_archive, tmp_path, *extra)
    assert [output.get("text") for output in outputs] == ["Edda Abernathy sings.", "", 5, "Edda", None]
    assert [output.get("line") for output in outputs] == [None, None, 3, None, 5]


def test_the_screen_shows_one_json_object_per_line_and_nothing_else(tagger_archive, tmp_path, capsys) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "Edda sings.", "id": 7, "meta": {"a": [1]}}\n{"text": "broken\n')
    capsys.readouterr()
    arguments = parsed(["predict", str(tagger_archive), str(tmp_path / "in.jsonl")])
    arguments.func(arguments)
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["id"], first["meta"], first["text"]) == (7, {"a": [1]}, "Edda sings.")
    assert second["line"] == 2 and "cannot be parsed" in second["error"] and "entities" not in second


def test_strict_stops_at_the_first_bad_line(tagger_archive, tmp_path) -> None:
    with pytest.raises(ConfigurationError, match="Line 3"):
        run(tagger_archive, tmp_path, "--strict")


def test_a_corpus_file_is_read_by_its_reader(tagger_archive, tmp_path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"tokens": ["Edda", "Abernathy", "sings"], "entities": [], "relations": []}\n')
    command = ["predict", str(tagger_archive), str(corpus), "--silent", "--output-file", str(tmp_path / "out.jsonl")]
    arguments = parsed([*command, "--use-dataset-reader"])
    arguments.func(arguments)
    assert json.loads((tmp_path / "out.jsonl").read_text())["text"] == "Edda Abernathy sings"
