"""The real command, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from allennlp import commands
from allennlp.common.checks import ConfigurationError

from ner_zoo.commands.compare import check, unknown_metrics
from ner_zoo.experiments.plan import make_plan
from ner_zoo.experiments.schedule import FINISHED
from ner_zoo.experiments.summary import summarise
from tests.commands.predict_test import parsed
from tests.experiments.examples import demo_config, plain_config, pretend, write_config


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["allennlp", "compare", *arguments])
    with pytest.raises(SystemExit):
        commands.main(prog="allennlp")
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--jobs", "0"], "--jobs is 0. Pass 1 or more."),
        (["--seeds", "none"], "neither a count, such as 3, nor a list, such as 1,2,3"),
        (["--search", "optuna"], "--search requires --vary"),
        (["--vary", "model.nothing=1"], "no config has this key"),
        (["--ray-address", "auto"], "--ray-address requires --engine ray"),
        (["--test", "nowhere.jsonl"], "The test file nowhere.jsonl does not exist"),
        (["missing.jsonnet"], "There is no config missing.jsonnet"),
    ],
)
def test_invalid_requests_are_refused_before_anything_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, arguments: list, problem: str
) -> None:
    config = write_config(tmp_path, "a", plain_config())
    assert problem in refused(monkeypatch, capsys, str(config), *arguments, "-s", str(tmp_path / "runs"))
    assert not (tmp_path / "runs").exists()


def test_results_do_not_go_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    with pytest.raises(ConfigurationError, match="runs is a file"):
        check(parsed(["compare", "a.jsonnet", "-s", str(tmp_path / "runs")]))


def test_the_test_file_may_be_all_that_a_reader_takes(tmp_path: Path) -> None:
    (tmp_path / "part_1.jsonl").touch()
    for path in ("part_1.jsonl", "part_*.jsonl", "part_1.jsonl [every 2nd]", ""):
        check(parsed(["compare", "a.jsonnet", "-s", "runs", "--test", str(tmp_path / path)]))


def test_metrics_that_no_run_has_are_reported_with_the_available_ones(tmp_path: Path) -> None:
    plan = make_plan([write_config(tmp_path, "a", plain_config())], tmp_path / "runs", "1")
    pretend(plan.runs[0], 0.5)
    asked = ["entity_f1", "f1"]
    summary = summarise(plan, {plan.runs[0].name: FINISHED}, asked)
    told = unknown_metrics(asked, summary)
    assert told == "\nNo run reports the metric f1. Available: entity_f1, entity_precision, entity_recall."
    assert unknown_metrics(["entity_f1"], summary) == ""


def test_the_command_trains_tells_and_writes(tmp_path: Path) -> None:
    config = demo_config(tmp_path)
    write_config(tmp_path, "one", {**config, "train_data_path": "train.jsonl", "validation_data_path": "dev.jsonl"})
    command = [str(Path(sys.executable).with_name("allennlp")), "compare", "one.json", "--seeds", "7,", "-s", "runs/x"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    finished = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert "[1/1] one/seed 7 is finished" in finished.stderr and "| one    | 1" in finished.stdout
    folder = tmp_path / "runs" / "x"
    assert (folder / "one" / "seed_7" / "model.tar.gz").exists() and (folder / "compare.png").stat().st_size > 1000
    content = json.loads((folder / "compare.json").read_text())
    assert content["command"] == "allennlp compare one.json --seeds 7, -s runs/x"
    assert content["runs"][0]["peak_memory_mb"] > 100 and content["runs"][0]["cpu_seconds"] > 0
    assert str(tmp_path) not in (folder / "compare.json").read_text()
