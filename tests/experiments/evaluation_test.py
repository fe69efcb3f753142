import json
import multiprocessing
import os
from pathlib import Path

import numpy
import pytest

from ner_zoo.analysis.significance import f1
from ner_zoo.experiments.evaluation import Evaluation, Task, evaluate
from ner_zoo.experiments.pairing import pair_up
from ner_zoo.experiments.plan import Run
from tests.experiments.examples import DEMO
from tests.trained_models import joint_archive  # noqa: F401

FILE = str(DEMO / "test.jsonl")


def run_of(folder: Path, config: str = "a") -> Run:
    return Run(config, "", 1, 0, folder, {}, hash="of this config")


def evaluated(archive: Path, output: Path, task: Task) -> Evaluation:
    # In a separate process, as intended: it hooks into the metrics of all models.
    arguments = (str(archive.parent), task.file, str(output), task.identity())
    process = multiprocessing.get_context("fork").Process(target=evaluate, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == 0
    content = json.loads(output.read_text())
    return Evaluation(content["metrics"], content["counts"], content["sentences"])


def test_the_counts_of_all_sentences_add_up_to_the_metrics(joint_archive: Path, tmp_path: Path) -> None:  # noqa: F811
    task = Task(run_of(tmp_path / "seed_1"), "test", FILE)
    found = evaluated(joint_archive, task.output, task)
    for name in ("entity_f1", "relation_f1", "relation_boundaries_f1"):
        counts = numpy.array(found.counts[name])
        assert counts.shape == (100, 3)
        assert f1(counts.sum(0)) == pytest.approx(found.metrics[name]) and found.metrics[name] > 0
    assert task.read() == found
    assert Task(Run("a", "", 1, 0, tmp_path / "seed_1", {}, hash="another"), "test", FILE).read() is None
    assert Task(task.run, "test", str(DEMO / "dev.jsonl")).read() is None


def kept(task: Task) -> None:
    content = {"identity": task.identity(), "metrics": {}, "counts": {}, "sentences": "these"}
    task.output.write_text(json.dumps(content))


def test_an_evaluation_is_invalid_when_the_run_was_trained_again(tmp_path: Path) -> None:
    task = Task(run_of(tmp_path / "seed_1"), "test", FILE)
    task.run.folder.mkdir()
    kept(task)
    metrics = task.run.folder / "metrics.json"
    metrics.write_text("{}")
    for seconds, is_kept in ((-60, True), (60, False)):
        moment = task.output.stat().st_mtime + seconds
        os.utime(metrics, (moment, moment))
        assert (task.read() is not None) == is_kept


@pytest.mark.parametrize("path", ["part_*.jsonl", "part_1.jsonl [every 2nd]", "part_1.jsonl + part_2.jsonl", "."])
def test_an_evaluation_is_invalid_when_a_file_behind_the_path_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        Path(f"part_{number}.jsonl").write_text("{}")
    run = run_of(tmp_path.parent / f"{tmp_path.name}_run")
    task = Task(run, "test", path)
    kept(task)
    assert task.read() is not None
    Path("part_1.jsonl").write_text("{ }")
    assert task.read() is None


def evaluation(counts: list, sentences: str = "same") -> Evaluation:
    return Evaluation({}, {"entity_f1": counts}, sentences)


def test_runs_of_the_same_seed_index_are_paired(tmp_path: Path) -> None:
    baseline, ours = run_of(tmp_path, "first"), run_of(tmp_path, "second")
    evaluations = {
        baseline.name: evaluation([(0, 1, 1)] * 40),
        ours.name: evaluation([(1, 1, 1)] * 40),
    }
    (pair,) = pair_up([ours], [baseline], evaluations, ["entity_f1", "relation_f1"])
    assert pair.bootstrap is not None and pair.bootstrap.difference == 1 and pair.bootstrap.p_value < 0.001
    assert pair.randomisation is not None and pair.randomisation.p_value < 0.001
    other_place = Run("first", "", 2, 1, tmp_path, {})
    assert pair_up([ours], [other_place], {**evaluations, other_place.name: evaluation([])}, ["entity_f1"]) == []


def test_runs_that_saw_other_sentences_are_not_compared(tmp_path: Path) -> None:
    baseline, ours = run_of(tmp_path, "first"), run_of(tmp_path, "second")
    evaluations = {baseline.name: evaluation([(0, 1, 1)]), ours.name: evaluation([(0, 1, 1)], "others")}
    (pair,) = pair_up([ours], [baseline], evaluations, ["entity_f1"])
    assert pair.bootstrap is None and "do not read the same sentences" in pair.problem
