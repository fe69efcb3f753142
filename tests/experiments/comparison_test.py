"""Real runs in real processes, small enough for a second each."""

import json
import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.experiments import record
from ner_zoo.experiments.comparison import Comparison, locked
from ner_zoo.experiments.machine import describe
from ner_zoo.experiments.plan import Plan, make_plan
from ner_zoo.experiments.progress import LineProgress
from ner_zoo.experiments.schedule import LocalEngine
from ner_zoo.experiments.summary import Summary
from tests.experiments.examples import PretendingEngine, demo_config, plain_config, write_config


@pytest.fixture(scope="module", autouse=True)
def everything_imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Trains once here, so that forked processes find everything imported and compiled."""
    folder = tmp_path_factory.mktemp("once")
    train_model(Params(demo_config(folder)), str(folder / "run"))


def compare(plan: Plan, folder: Path, jobs: int = 2, **options: Any) -> Summary:
    watch = LineProgress(open(os.devnull, "w"))  # noqa: SIM115
    engine = LocalEngine(jobs, threads=1)
    machine = describe(engine.slots, engine.threads, ["compare"])
    return Comparison(plan, folder, engine, machine, watch, watch.say, **options).run()


def two_configs(folder: Path) -> list[Path]:
    config = demo_config(folder)
    other = {**config, "model": {**config["model"], "loss": "hinge"}}
    return [write_config(folder, "nll", config), write_config(folder, "hinge", other)]


def results(folder: Path) -> dict[str, Any]:
    """The results of a comparison, without time, memory and folder names."""
    content = json.loads((folder / "compare.json").read_text())
    used = {"attempts", "wall_seconds", "cpu_seconds", "peak_memory_mb", "folder"}
    return {
        "configs": [{k: v for k, v in row.items() if k not in used} for row in content["configs"]],
        "runs": [{k: v for k, v in run.items() if k not in used} for run in content["runs"]],
        "table": (folder / "compare.md").read_text().partition("## Cost")[0],
    }


def kill_when(paths: list[Path], folder: Path, there: str) -> None:
    """Starts the comparison in a separate process and kills it as soon as a file exists."""

    def work() -> None:
        compare(make_plan(paths, folder), folder, jobs=1)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    deadline = time.monotonic() + 120
    while not (folder / there).exists() and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.is_alive() and process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def test_a_comparison_killed_twice_gives_the_same_result_as_an_uninterrupted_one(tmp_path: Path) -> None:
    paths = two_configs(tmp_path)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    compare(make_plan(paths, whole), whole, jobs=1)
    kill_when(paths, killed, "nll/seed_13370/training_state_e1_b0.th")
    kill_when(paths, killed, "nll/seed_13371/training_state_e1_b0.th")
    kept = (killed / "nll" / "seed_13370" / "metrics.json").stat().st_mtime_ns
    compare(make_plan(paths, killed), killed, jobs=1)
    assert results(killed) == results(whole)
    assert (killed / "nll" / "seed_13370" / "metrics.json").stat().st_mtime_ns == kept
    attempts = [run["attempts"] for run in json.loads((killed / "compare.json").read_text())["runs"]]
    assert attempts == [2, 1, 2, 1, 1, 1]


def test_a_config_that_crashes_has_a_row_that_says_so(tmp_path: Path) -> None:
    config = demo_config(tmp_path)
    broken = {**config, "train_data_path": str(tmp_path / "nothing.jsonl")}
    tuned = {**config, "model": {**config["model"], "loss": "{run:broken}"}}
    configs = {"broken": broken, "good": config, "tuned": tuned}
    paths = [write_config(tmp_path, name, config) for name, config in configs.items()]
    folder = tmp_path / "runs"
    summary = compare(make_plan(paths, folder, seeds="1"), folder, test=str(tmp_path / "test.jsonl"))
    assert [result.state for result in summary.results] == ["failed", "finished", "not run"]
    text = (folder / "compare.md").read_text()
    assert "0 of 1 (failed)" in text and "0 of 1 (not run)" in text
    assert "nothing.jsonl" in text and str(tmp_path) not in text
    good = json.loads((folder / "compare.json").read_text())["configs"][1]["figures"]
    known = json.loads((folder / "good" / "seed_13370.test.json").read_text())["metrics"]
    assert good["test"]["entity_f1"]["scores"] == [known["entity_f1"]]
    assert str(tmp_path) not in (folder / "compare.json").read_text()
    assert json.loads((folder / "compare.json").read_text())["runs"][1]["folder"] == "good/seed_13370"


def test_with_one_seed_runs_are_compared_sentence_by_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    plan = make_plan(two_configs(tmp_path), folder, seeds="1")
    (pair,) = compare(plan, folder).pairs
    runs = {run["config"]: run for run in json.loads((folder / "compare.json").read_text())["runs"]}
    assert pair.bootstrap is not None and pair.randomisation is not None
    difference = runs["hinge"]["dev"]["entity_f1"] - runs["nll"]["dev"]["entity_f1"]
    assert pair.bootstrap.difference == pytest.approx(difference) == pytest.approx(pair.randomisation.difference)


def test_where_not_all_have_a_test_file_single_runs_are_compared_on_dev(tmp_path: Path) -> None:
    config, folder = demo_config(tmp_path), tmp_path / "runs"
    tested = {**config, "test_data_path": str(tmp_path / "test.jsonl")}
    paths = [write_config(tmp_path, "plain", config), write_config(tmp_path, "tested", tested)]
    summary = compare(make_plan(paths, folder, seeds="1"), folder)
    (pair,) = summary.pairs
    first, second = (row.figures["dev"]["entity_f1"].mean for row in summary.rows)
    assert pair.bootstrap is not None and pair.bootstrap.difference == pytest.approx(second - first)
    assert ["test" in row.figures for row in summary.rows] == [False, True]


def test_two_comparisons_in_one_folder_are_refused(tmp_path: Path) -> None:
    def work() -> None:
        with locked(tmp_path):
            (tmp_path / "there").touch()
            time.sleep(60)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    while not (tmp_path / "there").exists():
        time.sleep(0.01)
    with pytest.raises(ConfigurationError, match="Another command is using"), locked(tmp_path):
        pass
    process.kill()
    process.join()
    with locked(tmp_path):
        pass


def test_an_interrupted_comparison_stops_its_runs_and_writes_what_is_there(tmp_path: Path) -> None:
    paths, folder = two_configs(tmp_path), tmp_path / "runs"
    plan = make_plan(paths, folder, seeds="1")
    process = multiprocessing.get_context("fork").Process(target=lambda: compare(plan, folder, jobs=1))
    process.start()
    started = folder / "nll" / "seed_13370" / "config.json"
    while not started.exists():
        time.sleep(0.01)
    os.kill(process.pid or 0, signal.SIGTERM)
    process.join()
    known = record.read(plan.runs[0])
    assert known is not None and known.state == record.INTERRUPTED
    assert record.read(plan.runs[1]) is None
    states = [run["state"] for run in json.loads((folder / "compare.json").read_text())["runs"]]
    assert states == ["waiting", "waiting"]


def test_the_best_variant_on_dev_represents_its_config(tmp_path: Path) -> None:
    from ner_zoo.experiments.plan import Variation

    paths = [write_config(tmp_path, "margin", plain_config())]
    plan = make_plan(paths, tmp_path / "runs", "1", variations=[Variation.parse("model.loss.df=0.85,0.9,0.95")])
    scores = {run.name: score for run, score in zip(plan.runs, (0.4, 0.6, 0.5))}
    machine = describe(1, 1, ["compare"])
    comparison = Comparison(
        plan, tmp_path / "runs", PretendingEngine(scores), machine, lambda schedule: None, lambda text: None
    )
    summary = comparison.run()
    assert [row.variant for row in summary.rows] == ["model.loss.df=0.9"]
    assert len(summary.variants) == 3
