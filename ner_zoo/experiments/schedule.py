"""
Schedules runs: each starts as soon as there is a free slot and its dependencies are finished; failures do not affect
other runs.

Each run is the command `allennlp train`, with `--recover` if an earlier attempt left a checkpoint. Finished runs are
not repeated. An interruption stops running ones, and the next time they resume from their checkpoints.
"""

import functools
import importlib
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from allennlp.commands.train import train_model_from_file
from allennlp.common.plugins import import_plugins
from allennlp.common.util import import_module_and_submodules
from overrides import overrides

from ner_zoo.data.vector_store import VARIABLE
from ner_zoo.experiments import record
from ner_zoo.experiments.plan import Run
from ner_zoo.experiments.process import Usage, WorkerProcess
from ner_zoo.platform.errors import with_short_errors
from ner_zoo.platform.registry import load_everything

WAITING, RUNNING, KEPT, FINISHED, FAILED, NOT_RUN = "waiting", "running", "kept", "finished", "failed", "not run"
POLL_SECONDS = 0.2
LINES_OF_LOG = 12
# Parts of log lines that do not explain a failure.
NO_REASONS = (" - INFO - ",)


class Handle(Protocol):
    """A running task."""

    def ended(self) -> tuple[int, Usage] | None: ...

    def stop(self) -> tuple[int, Usage]: ...


class Engine:
    """
    Where runs are trained.

    jobs : number of parallel runs.
    threads : threads per run.
    """

    def __init__(self, jobs: int, threads: int = 1) -> None:
        self.slots = jobs
        self.threads = threads

    def open(self) -> None:
        """Called before the first run starts, and not at all if there is nothing to train."""

    def start(self, run: Run, training: "Training") -> Handle:
        raise NotImplementedError

    def close(self) -> None:
        """Called at the end."""


class LocalEngine(Engine):
    """Processes on this machine."""

    @overrides
    def start(self, run: Run, training: "Training") -> Handle:
        preload()
        work = WorkerProcess(train, (training,), run.beside(record.LOG), self.threads)
        work.start()
        return work


@functools.cache
def preload() -> None:
    """Imports what every training needs, once for all processes forked from this one."""
    import_plugins()
    load_everything()
    for module in ("torch._dynamo", "matplotlib.figure"):
        importlib.import_module(module)


@dataclass
class Schedule:
    """
    runs : in starting order.
    engine : where to train.
    watch : called repeatedly with this schedule while runs are active.
    packages : modules to import before training, like AllenNLP's --include-package.
    """

    runs: Sequence[Run]
    engine: Engine
    watch: Callable[["Schedule"], None] = lambda schedule: None
    packages: Sequence[str] = ()
    states: dict[str, str] = field(default_factory=dict)
    running: dict[str, Handle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for run in self.runs:
            self.states[run.name] = KEPT if record.is_finished(run) else WAITING

    def execute(self) -> None:
        """Trains everything that is not finished. If interrupted, stops running tasks first."""
        if WAITING in self.states.values():
            self.engine.open()
        try:
            while self.running or WAITING in self.states.values():
                self._start_ready_runs()
                self.watch(self)
                time.sleep(POLL_SECONDS)
                self._collect()
            self.watch(self)
        finally:
            self._stop()

    def _start_ready_runs(self) -> None:
        for run in self.runs:
            if self.states[run.name] != WAITING:
                continue
            # A run outside this schedule has been trained before, or has failed.
            needed = {
                self.states.get(other.name) or (KEPT if record.is_finished(other) else FAILED) for other in run.needs
            }
            if needed & {FAILED, NOT_RUN}:
                self.states[run.name] = NOT_RUN
            elif needed <= {KEPT, FINISHED} and len(self.running) < self.engine.slots:
                config, recovers = str(run.beside(record.CONFIG)), record.can_recover(run)
                record.begin(run, time.time())
                training = Training(config, str(run.folder), recovers, tuple(self.packages), run.vectors)
                self.running[run.name] = self.engine.start(run, training)
                self.states[run.name] = RUNNING

    def _collect(self) -> None:
        for run in self.runs:
            handle = self.running.get(run.name)
            ended = handle.ended() if handle is not None else None
            if ended is not None:
                del self.running[run.name]
                status, usage = ended
                is_done = status == 0 and (run.folder / record.METRICS).exists()
                _close(run, record.FINISHED if is_done else record.FAILED, status, usage)
                self.states[run.name] = FINISHED if is_done else FAILED

    def _stop(self) -> None:
        for run in self.runs:
            if run.name in self.running:
                status, usage = self.running.pop(run.name).stop()
                _close(run, record.INTERRUPTED, status, usage)
                self.states[run.name] = WAITING


class Training(NamedTuple):
    """
    The arguments of `allennlp train`.

    recovers : whether there is a checkpoint to resume from.
    vectors : folder for the vectors of frozen encoders, shared by all runs.
    """

    config: str
    folder: str
    recovers: bool
    packages: tuple[str, ...]
    vectors: str | None = None


def train(training: Training) -> None:
    """Runs `allennlp train` in this process."""
    preload()
    if training.vectors is not None:
        os.environ.setdefault(VARIABLE, training.vectors)
    for package in training.packages:
        import_module_and_submodules(package)

    def command(program: str | None = None) -> None:
        train_model_from_file(
            training.config,
            training.folder,
            recover=training.recovers,
            # Without a checkpoint, the remains of an earlier attempt are useless.
            force=not training.recovers,
            include_package=list(training.packages),
            file_friendly_logging=True,
        )

    with_short_errors(command)(None)


def log_tail(run: Run) -> list[str]:
    log = run.beside(record.LOG)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    told = [line for line in lines if line.strip() and not any(word in line for word in NO_REASONS)]
    return told[-LINES_OF_LOG:]


def failure_reason(run: Run) -> str:
    """Why a run failed: the message at the end of its log, without the traceback."""
    lines = log_tail(run)
    starts = [number for number, line in enumerate(lines) if line.startswith("Error: ")]
    starts = starts or [number for number, line in enumerate(lines) if not line.startswith(" ")]
    told = lines[starts[-1] :] if starts else lines
    known = record.read(run)
    status = known.exit_status if known is not None else None
    if status is not None and status < 0:
        told = [
            f"It was killed by signal {-status}" + (", perhaps because it ran out of memory." if status == -9 else ".")
        ]
    return re.sub(r"(?<![\w.])/(?:[^\s/'\"]+/)+", "", "\n".join(told))


def _close(run: Run, state: str, status: int, usage: Usage) -> None:
    known = record.read(run)
    assert known is not None
    record.write(run, known.after(state, status, usage))
