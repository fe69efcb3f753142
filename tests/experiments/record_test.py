import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.experiments import record
from ner_zoo.experiments.plan import Run, make_plan
from ner_zoo.experiments.process import Usage
from tests.experiments.examples import plain_config, pretend, write_config


def the_run(folder: Path, epochs: int = 4) -> Run:
    path = write_config(folder, "a", plain_config(trainer={"num_epochs": epochs}))
    return make_plan([path], folder / "runs", seeds="1").runs[0]


def test_a_run_is_finished_if_its_record_says_so_and_its_results_are_there(tmp_path: Path) -> None:
    run = the_run(tmp_path)
    assert not record.is_finished(run)
    pretend(run, 0.5)
    assert record.is_finished(run)
    assert not record.is_finished(the_run(tmp_path, epochs=5))
    (run.folder / "metrics.json").unlink()
    assert not record.is_finished(run)


def test_resources_of_all_attempts_are_added_up(tmp_path: Path) -> None:
    run = the_run(tmp_path)
    first = record.begin(run, now=100.0)
    record.write(run, first.after(record.INTERRUPTED, -15, Usage(10.0, 8.0, 700.0)))
    second = record.begin(run, now=200.0)
    record.write(run, second.after(record.FINISHED, 0, Usage(5.0, 4.0, 600.0)))
    known = record.read(run)
    assert known is not None
    assert (known.attempts, known.wall_seconds, known.cpu_seconds, known.peak_memory_mb) == (2, 15.0, 12.0, 700.0)


def test_an_killed_attempt_counts_until_it_last_wrote_to_its_log(tmp_path: Path) -> None:
    run = the_run(tmp_path)
    record.begin(run, now=0.0)
    log = run.beside(record.LOG)
    log.write_text("at work")
    last = log.stat().st_mtime
    record.begin(run, now=last - 30)
    assert record.begin(run, now=last + 500).wall_seconds == pytest.approx(30, abs=0.1)


def test_a_run_of_another_config_is_neither_used_nor_touched(tmp_path: Path) -> None:
    run = the_run(tmp_path)
    pretend(run, 0.5)
    before = {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    changed = the_run(tmp_path, epochs=5)
    before[tmp_path / "a.json"] = (tmp_path / "a.json").read_text()
    with pytest.raises(ConfigurationError, match="trainer.num_epochs was 4 and is 5"):
        record.check([changed])
    assert {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_on_demand_it_is_moved_away_and_nothing_of_it_is_lost(tmp_path: Path) -> None:
    for epochs in (4, 5, 6):
        run = the_run(tmp_path, epochs)
        record.check([run], rerun=True)
        assert not run.folder.exists() and record.read(run) is None
        pretend(run, epochs / 10)
    kept = sorted(path.name for path in run.folder.parent.glob("seed_5.old_*") if path.is_dir())
    assert kept == ["seed_5.old_1", "seed_5.old_2"]
    scores = [json.loads((run.folder.parent / name / "metrics.json").read_text()) for name in kept]
    assert [score["best_validation_entity_f1"] for score in scores] == [0.4, 0.5]
    assert (run.folder.parent / "seed_5.old_1.config.json").exists()


def test_a_folder_that_compare_has_not_made_is_refused(tmp_path: Path) -> None:
    run = the_run(tmp_path)
    run.folder.mkdir(parents=True)
    record.check([run])
    (run.folder / "thesis.txt").write_text("years of work")
    with pytest.raises(ConfigurationError, match="not created by compare"):
        record.check([run])


def test_a_run_resumes_only_from_a_checkpoint(tmp_path: Path) -> None:
    run = the_run(tmp_path)
    run.folder.mkdir(parents=True)
    (run.folder / "config.json").write_text("{}")
    assert not record.can_recover(run)
    (run.folder / "training_state_e1_b0.th").write_text("")
    assert record.can_recover(run)
