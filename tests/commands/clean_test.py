"""The real command: it trains, checks, writes, resumes when killed, and reports invalid requests."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from allennlp import commands
from allennlp.common import Params
from allennlp.data import DatasetReader

from tests.experiments.examples import write_config
from tests.workbench.noisy_data import lost_entities, noisy_config

COMMAND = str(Path(sys.executable).with_name("allennlp"))
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["allennlp", "clean", *arguments])
    with pytest.raises(SystemExit):
        commands.main(prog="allennlp")
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--folds", "1"], "--folds is 1. Pass 2 or more"),
        (["--folds", "500"], "too few for 500 folds"),
        (["--above", "90"], "--above is 90.0"),
        (["--above", "0.9"], "--above requires --apply"),
        (["--kinds", "missing"], "--kinds requires --apply"),
        (["--repeats", "0"], "--repeats is 0. Pass 1 or more."),
        (["--format", "paper"], "There is no format 'paper'. Use one of label_studio"),
        (["--jobs", "0"], "--jobs is 0. Pass 1 or more."),
        (["--ray-address", "auto"], "--ray-address requires --engine ray"),
        (["-o", '{"train_data_path": "nowhere.jsonl"}'], "nowhere.jsonl"),
    ],
)
def test_invalid_requests_are_refused_before_anything_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, arguments: list, problem: str
) -> None:
    config = write_config(tmp_path, "a", noisy_config(tmp_path))
    assert problem in refused(monkeypatch, capsys, str(config), *arguments, "-s", str(tmp_path / "runs"))
    assert not (tmp_path / "runs").exists()


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    command = [COMMAND, "clean", "config.json", "--folds", "2", "--jobs", "1", "-s", "runs", *arguments]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, text=True, capture_output=True)


def test_the_command_finds_what_was_planted_and_resumes_when_killed(tmp_path: Path) -> None:
    write_config(tmp_path, "config", noisy_config(tmp_path, model="joint_relation"))
    command = [COMMAND, "clean", "config.json", "--folds", "2", "--jobs", "1", "-s", "runs"]
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.DEVNULL) as killed:
        deadline = time.time() + 300
        while not list(tmp_path.glob("runs/fold_2/seed_*/metrics_epoch_0.json")) and time.time() < deadline:
            time.sleep(0.1)
        killed.send_signal(signal.SIGKILL)
    finished = run(tmp_path, "--format", "label_studio", "--apply", "unknown", "--above", "0.8")
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert "fold_1/seed 13370 is already finished" in finished.stderr and "starts after epoch" in finished.stderr
    assert "likely label errors" in finished.stdout and "suspects applied" in finished.stdout
    folder = tmp_path / "runs"
    suspects = [json.loads(line) for line in (folder / "clean.jsonl").read_text().splitlines()]
    confidences = [one["confidence"] for one in suspects]
    assert confidences == sorted(confidences, reverse=True)
    assert {one["of"] for one in suspects} == {"entity", "relation"}
    lost = lost_entities(120)
    missing = [one for one in suspects if (one["kind"], one["of"]) == ("missing", "entity")]
    assert len({one["sentence"] for one in missing} & lost) >= len(lost) // 2
    check_outputs(folder, suspects)
    check_repeats(tmp_path, suspects)
    check_kinds(tmp_path)
    page = (folder / "clean.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and 'data-class="missing entity"' in page


def check_outputs(folder: Path, suspects: list[dict]) -> None:
    tasks = json.loads((folder / "tasks.label_studio.json").read_text())
    assert len(tasks) == len({one["sentence"] for one in suspects}) and tasks[0]["predictions"][0]["result"]
    assert tasks[0]["data"]["source"] == suspects[0]["source"] and "->" in tasks[0]["data"]["suspected"]
    changes = [json.loads(line) for line in (folder / "changes.jsonl").read_text().splitlines()]
    assert len(changes) == sum(one["confidence"] >= 0.8 for one in suspects)
    reader = DatasetReader.from_params(Params({"type": "span_json"}))
    sentences = [instance["metadata"].metadata for instance in reader.read(str(folder / "cleaned.jsonl"))]
    doubtful = {one["sentence"] for one in changes if one["of"] == "entity"}
    assert len(sentences) == 120 and {n for n, one in enumerate(sentences) if one.unknown} == doubtful


def check_repeats(folder: Path, alone: list[dict]) -> None:
    """More models per fold are trained in addition to those that exist, and averaged with them."""
    finished = run(folder, "--repeats", "2", "--apply", "replace", "--above", "0.6")
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert "fold_1/seed 13370 is already finished" in finished.stderr
    assert all((folder / f"runs/fold_{fold}/seed_13371/model.tar.gz").exists() for fold in (1, 2))
    both = [json.loads(line) for line in (folder / "runs" / "clean.jsonl").read_text().splitlines()]
    assert both != alone
    changes = [json.loads(line) for line in (folder / "runs" / "changes.jsonl").read_text().splitlines()]
    of_entities = [one for one in changes if one["of"] == "entity"]
    assert len(of_entities) == sum(one["confidence"] >= 0.6 for one in both if one["of"] == "entity")
    check_relations_of_restored_entities(of_entities, [one for one in changes if one["of"] == "relation"])


def check_relations_of_restored_entities(entities: list[dict], relations: list[dict]) -> None:
    """Relations are judged given the corrected entities, so that an added entity can get relations, too."""

    def place(sentence: int, entity: dict) -> tuple:
        return sentence, entity["type"], entity["start"], entity["end"]

    applied = [one for one in entities if one["outcome"] == "applied"]
    added = {place(one["sentence"], one["proposal"]) for one in applied if one["kind"] == "missing"}
    gone = {place(one["sentence"], one["gold"]) for one in applied if one["gold"]}
    sides = [(one["sentence"], one[side]) for one in relations for side in ("gold", "proposal") if one[side]]
    ends = {place(sentence, relation[end]) for sentence, relation in sides for end in ("head", "tail")}
    assert added & ends and not gone & ends
    assert {one["outcome"] for one in relations} == {"applied"}


def check_kinds(folder: Path) -> None:
    """Only the kinds that are asked for are applied; Ray is not needed, because nothing is left to train."""
    no_cluster = ("--engine", "ray", "--ray-address", "127.0.0.1:1")
    finished = run(folder, "--apply", "replace", "--above", "0.5", "--kinds", "missing", "type", *no_cluster)
    assert finished.returncode == 0, finished.stderr[-3000:]
    changes = [json.loads(line) for line in (folder / "runs" / "changes.jsonl").read_text().splitlines()]
    assert {one["kind"] for one in changes} == {"missing", "type"}
