"""`allennlp suggest` through its own parser, in this process."""

import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from tests.commands.predict_test import parsed
from tests.trained_models import demo_texts, tagger_archive

__all__ = ["tagger_archive"]


def run(*command: str) -> None:
    arguments = parsed(["suggest", *command])
    arguments.func(arguments)


def test_rows_are_suggested_and_a_second_run_says_that_they_are(tagger_archive, tmp_path: Path, capsys) -> None:
    (tmp_path / "in.txt").write_text("\n".join(demo_texts()[:20]) + "\n")
    output = tmp_path / "next.jsonl"
    command = [str(tagger_archive), str(tmp_path / "in.txt"), "-n", "5", "-o", str(output), "--workers", "0"]
    run(*command)
    assert "5 rows to annotate" in capsys.readouterr().out
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert len(rows) == 5 and {"text", "entities", "suggested_by", "suggestion_score"} <= set(rows[0])
    run(*command)
    assert "already complete" in capsys.readouterr().out
    with pytest.raises(ConfigurationError, match="overwrite"):
        run(*command, "--by", "margin")


def test_invalid_commands_are_refused(tagger_archive, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a\n")
    base = [str(tagger_archive), str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.jsonl")]
    wrong = (["-n", "0"], ["--random", "2"], ["--balance", "2"], ["--ray-address", "auto"], ["--workers", "-1"])
    for extra in (*wrong, ["--rows-per-part", "0"], ["--format", "nothing"]):
        with pytest.raises(ConfigurationError):
            run(*base, *extra)
    with pytest.raises(ConfigurationError, match="ends in"):
        run(*base[:-1], str(tmp_path / "out.csv"))
    with pytest.raises(ConfigurationError, match="There is no archive"):
        run("nowhere.tar.gz", *base[1:])
