"""`allennlp annotate` through its own parser, in this process."""

import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from tests.commands.predict_test import parsed
from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]


def run(*command: str) -> None:
    arguments = parsed(["annotate", *command])
    arguments.func(arguments)


def test_a_file_is_annotated_and_a_second_run_says_that_it_is(tagger_archive, tmp_path: Path, capsys) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 7, "text": "Edda Abernathy sings."}\n')
    output = tmp_path / "out.jsonl"
    command = [str(tagger_archive), str(tmp_path / "in.jsonl"), "-o", str(output), "--workers", "0", "--top-k", "1"]
    run(*command)
    record = json.loads(output.read_text())
    assert record["id"] == 7 and len(record["taggings"]) == 1
    run(*command)
    assert "already complete" in capsys.readouterr().out
    with pytest.raises(ConfigurationError, match="overwrite"):
        run(*command, "--flat")


def test_invalid_commands_are_refused(tagger_archive, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a\n")
    base = [str(tagger_archive), str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.jsonl")]
    wrong = (["--threshold", "2"], ["--ray-address", "auto"], ["--workers", "-1"], ["--rows-per-part", "0"])
    for extra in wrong:
        with pytest.raises(ConfigurationError):
            run(*base, *extra)
    with pytest.raises(ConfigurationError):
        run(*base[:-1], str(tmp_path / "out.csv"))


def test_pre_annotations_are_written_for_a_tool(tagger_archive, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 7, "text": "Edda Abernathy sings."}\n')
    output = tmp_path / "tasks.json"
    command = [str(tagger_archive), str(tmp_path / "in.jsonl"), "-o", str(output), "--workers", "0"]
    run(*command, "--format", "label_studio")
    [task] = json.loads(output.read_text())
    assert task["data"] == {"id": 7, "text": "Edda Abernathy sings."}
    [prediction] = task["predictions"]
    assert prediction["model_version"] and all(0 < result["score"] <= 1 for result in prediction["result"])
