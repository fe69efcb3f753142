"""
Runs one comparison from configs to a table, or the rest of one that was interrupted.
"""

import fcntl
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.experiments import markdown, picture, record
from ner_zoo.experiments.evaluation import Evaluation, Task, evaluate_all
from ner_zoo.experiments.pairing import pair_up
from ner_zoo.experiments.plan import Plan, Run, Variation
from ner_zoo.experiments.schedule import FINISHED, KEPT, Engine, Schedule
from ner_zoo.experiments.search import search
from ner_zoo.experiments.summary import DEV, TEST, Summary, as_json, summarise
from ner_zoo.platform.atomic_files import write_atomically

Watch = Callable[[Schedule], None]


@dataclass
class Comparison:
    """
    plan : what to compare.
    folder : folder for the results.
    engine, watch : where to train the runs, and how to show progress.
    machine : description of the machine for the results.
    tell : prints a line for the user.
    metrics : metrics to report; if empty, the validation metrics of the configs.
    packages : modules to import before training.
    rerun_changed : whether to move runs of changed configs away and train them again.
    test : a file for the models that are best on dev; if empty, the test data of the configs, if any.
    is_paired : whether to compare single runs sentence by sentence; always done if there is only one seed.
    variations, trials : what to vary; the number of variants to try, or 0 for all.
    """

    plan: Plan
    folder: Path
    engine: Engine
    machine: dict[str, Any]
    watch: Watch
    tell: Callable[[str], None]
    metrics: Sequence[str] = ()
    packages: Sequence[str] = ()
    rerun_changed: bool = False
    test: str | None = None
    is_paired: bool = False
    variations: Sequence[Variation] = ()
    trials: int = 0
    states: dict[str, str] = field(default_factory=dict)

    def run(self) -> Summary:
        """Trains unfinished runs and writes the results; if interrupted, those of the finished runs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder), interruptible():
            record.check(self.plan.runs, self.rerun_changed)
            try:
                if self.trials:
                    search(self.plan, self.variations, self.trials, self.engine.slots, self._execute)
                else:
                    self._execute(self.plan.runs)
            finally:
                self._write(summarise(self.plan, self.states, self.metrics))
            summary = self._evaluate()
            self._write(summary)
        return summary

    def _execute(self, runs: list[Run]) -> list[str]:
        schedule = Schedule(runs, self.engine, self.watch, self.packages)
        try:
            schedule.execute()
        finally:
            self.states.update(schedule.states)
        return [name for name, state in schedule.states.items() if state in (KEPT, FINISHED)]

    def _evaluate(self) -> Summary:
        """Evaluates the rows' models on the test file, and pairs them if single runs are compared."""
        summary = summarise(self.plan, self.states, self.metrics)
        is_paired = self.is_paired or all(len(row.results) == 1 for row in summary.rows)
        runs = [result.run for row in summary.rows for result in row.finished]
        tests = [Task(run, TEST, file) for run in runs if (file := self._test_file(run, is_paired))]
        devs = [Task(run, DEV, str(run.params.get("validation_data_path"))) for run in runs]
        # Pairs must be from one file: dev, unless all have a test file.
        devs = devs if is_paired and len(tests) < len(runs) and len(summary.rows) > 1 else []
        evaluate_all(tests + devs, self.engine.slots, self.engine.threads, self.tell)
        summary = summarise(self.plan, self.states, self.metrics, _found(tests))
        if is_paired:
            evaluations = _found(devs or tests)
            for row in summary.rows[1:]:
                ours, first = ([result.run for result in some.finished] for some in (row, summary.rows[0]))
                summary.pairs.extend(pair_up(ours, first, evaluations, summary.metrics))
        return summary

    def _test_file(self, run: Run, is_paired: bool) -> str | None:
        if self.test or is_paired:
            return self.test or run.params.get("test_data_path")
        is_known = run.params.get("evaluate_on_test", False)
        return None if is_known else run.params.get("test_data_path")

    def _write(self, summary: Summary) -> None:
        if summary.rows:
            content = {**self.machine, **as_json(summary, self.plan)}
            write_atomically(self.folder / "compare.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")
            write_atomically(self.folder / "compare.md", markdown.render(summary, self.machine))
            (self.folder / "compare.png").write_bytes(picture.draw(summary))


def _found(tasks: Sequence[Task]) -> dict[str, Evaluation]:
    """The evaluations by the names of their runs."""
    return {task.run.name: found for task in tasks if (found := task.read()) is not None}


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks the folder: two commands in one folder would train the same runs."""
    with open(folder / "compare.lock", "w") as lock:
        try:
            # Held by this process alone: forked processes do not keep it when this one is gone.
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigurationError(
                f"Another command is using {folder}. Wait for it to finish, or pass another folder with -s."
            ) from error
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Treats SIGTERM and a closing terminal like a keyboard interrupt."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:  # ignored under nohup
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
