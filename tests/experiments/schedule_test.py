from pathlib import Path

from ner_zoo.experiments import record
from ner_zoo.experiments.plan import Plan, make_plan
from ner_zoo.experiments.ray_engine import RayEngine
from ner_zoo.experiments.schedule import (
    FAILED,
    FINISHED,
    KEPT,
    NOT_RUN,
    Schedule,
    failure_reason,
)
from tests.experiments.examples import PretendingEngine, executed, plain_config, pretend, write_config


def chained(folder: Path) -> Plan:
    """A baseline, a config tuned from it (listed first), and one tuned from that."""
    configs = {
        "tuned": plain_config(model={"weights": "{run:nn}/best.th"}),
        "nn": plain_config(),
        "twice": plain_config(model={"weights": "{run:tuned}/best.th"}),
    }
    return make_plan([write_config(folder, name, config) for name, config in configs.items()], folder / "runs", "1")


def scores(plan: Plan, *configs: str) -> dict[str, float]:
    return {run.name: 0.5 for run in plan.runs if run.config in configs}


def test_a_run_starts_after_those_it_needs(tmp_path: Path) -> None:
    plan = chained(tmp_path)
    engine = PretendingEngine(scores(plan, "tuned", "nn", "twice"))
    Schedule(plan.runs, engine).execute()
    assert engine.started == ["nn/seed 5", "tuned/seed 5", "twice/seed 5"]


def test_runs_that_need_a_failed_run_are_skipped_and_others_are_not(tmp_path: Path) -> None:
    plan = chained(tmp_path)
    states = executed(plan, scores(plan, "nn")).states
    assert states == {"nn/seed 5": FINISHED, "tuned/seed 5": FAILED, "twice/seed 5": NOT_RUN}
    assert failure_reason(plan.runs[0]) == "Error: It does not work."


def test_finished_runs_are_kept_and_failed_ones_are_tried_again(tmp_path: Path) -> None:
    plan = chained(tmp_path)
    executed(plan, scores(plan, "nn"))
    schedule = executed(plan, scores(plan, "tuned", "twice"))
    assert schedule.states == {"nn/seed 5": KEPT, "tuned/seed 5": FINISHED, "twice/seed 5": FINISHED}
    assert isinstance(schedule.engine, PretendingEngine)
    assert schedule.engine.started == ["tuned/seed 5", "twice/seed 5"]


def test_the_engine_is_opened_only_if_there_is_something_to_train(tmp_path: Path) -> None:
    plan = chained(tmp_path)
    assert executed(plan, scores(plan, "nn", "tuned", "twice")).engine.is_open  # type: ignore[attr-defined]
    unneeded = RayEngine(1, address="127.0.0.1:1")
    Schedule(plan.runs, unneeded).execute()
    unneeded.close()
    assert not executed(plan, {}).engine.is_open  # type: ignore[attr-defined]


def test_a_run_without_results_has_failed_whatever_its_exit_status(tmp_path: Path) -> None:
    class Forgetful(PretendingEngine):
        def start(self, run, training):  # type: ignore[no-untyped-def]
            handle = super().start(run, training)
            (run.folder / "metrics.json").unlink()
            return handle

    plan = make_plan([write_config(tmp_path, "a", plain_config())], tmp_path / "runs", "1")
    schedule = Schedule(plan.runs, Forgetful({plan.runs[0].name: 0.5}))
    schedule.execute()
    assert schedule.states == {"a/seed 5": FAILED}


def test_the_reason_of_a_failure_is_its_message_without_traceback_and_paths(tmp_path: Path) -> None:
    plan = make_plan([write_config(tmp_path, "a", plain_config())], tmp_path / "runs", "1")
    (run,) = plan.runs
    pretend(run, 0.5)
    log = run.beside(record.LOG)
    log.write_text('Traceback\n  File "/home/someone/x.py", line 1\nOSError: No file /home/someone/data/a.txt here\n')
    assert failure_reason(run) == "OSError: No file a.txt here"
    known = record.read(run)
    assert known is not None
    record.write(run, known.__class__(run.hash, record.FAILED, -9))
    assert failure_reason(run) == "It was killed by signal 9, perhaps because it ran out of memory."
