"""
Shows the progress of a comparison: a live table on a terminal, otherwise one line per event.
"""

import sys
import time
from dataclasses import dataclass
from typing import Any, TextIO

from ner_zoo.experiments import record
from ner_zoo.experiments.markdown import duration, number
from ner_zoo.experiments.plan import Run
from ner_zoo.experiments.schedule import FAILED, FINISHED, KEPT, NOT_RUN, RUNNING, WAITING, Schedule, log_tail
from ner_zoo.experiments.scores import read_epochs, selection_score, validation_metrics

POLL_SECONDS = 2.0
COLOURS = {WAITING: "dim", RUNNING: "bold", KEPT: "green", FINISHED: "green", FAILED: "bold red", NOT_RUN: "red"}


@dataclass
class RunStatus:
    """The visible state of a run: epochs so far, last and best score, start and end."""

    epochs: int = 0
    last: str = ""
    best: str = ""
    started: float = 0.0
    ended: float | None = None


class Watcher:
    """Polls the folders of the runs."""

    def __init__(self) -> None:
        self.statuses: dict[str, RunStatus] = {}
        self._looked = 0.0

    def look(self, schedule: Schedule) -> bool:
        """Whether it polled."""
        now = time.time()
        if now - self._looked < POLL_SECONDS and set(self.statuses) >= set(schedule.states):
            return False
        self._looked = now
        for run in schedule.runs:
            state = schedule.states[run.name]
            is_new = run.name not in self.statuses
            status = self.statuses.setdefault(run.name, RunStatus())
            if state == RUNNING and not status.started:
                status.started = now
            if is_new or state == RUNNING or (status.started and status.ended is None):
                update_status(run, status)
            if state not in (RUNNING, WAITING) and status.started and status.ended is None:
                status.ended = now
        return True


def update_status(run: Run, status: RunStatus) -> None:
    epochs = read_epochs(run)
    scored = [epoch for epoch in epochs if selection_score(run, epoch) is not None]
    status.epochs = len(epochs)
    if scored:
        best = max(scored, key=lambda epoch: selection_score(run, epoch) or 0.0)
        status.last, status.best = _describe(run, scored[-1]), _describe(run, best)


def remaining_seconds(schedule: Schedule, statuses: dict[str, RunStatus]) -> float | None:
    """
    Estimated from the duration of finished runs, or from running ones; `None` if nothing is known.
    """
    now, lengths, left = time.time(), [], 0.0
    for run in schedule.runs:
        known, status = record.read(run), statuses.get(run.name, RunStatus())
        if schedule.states[run.name] in (KEPT, FINISHED) and known is not None:
            lengths.append(known.wall_seconds)
        elif schedule.states[run.name] == RUNNING and status.epochs:
            planned = run.params.get("trainer", {}).get("num_epochs", 20)
            whole = (now - status.started) * planned / status.epochs
            left += max(0.0, whole - (now - status.started))
            lengths.append(whole)
    if not lengths:
        return None
    mean = sum(lengths) / len(lengths)
    waiting = sum(schedule.states[run.name] == WAITING for run in schedule.runs)
    unseen = sum(schedule.states[run.name] == RUNNING and not statuses[run.name].epochs for run in schedule.runs)
    return (left + mean * (waiting + unseen)) / schedule.engine.slots


class LineProgress:
    """stream : gets a line whenever a run starts, finishes an epoch or ends."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._watcher = Watcher()
        self._states: dict[str, str] = {}
        self._epochs: dict[str, int] = {}

    def __call__(self, schedule: Schedule) -> None:
        looked = self._watcher.look(schedule)
        done = sum(state in (KEPT, FINISHED) for state in schedule.states.values())
        for run in schedule.runs:
            state, status = schedule.states[run.name], self._watcher.statuses[run.name]
            if looked and state == RUNNING and status.epochs > self._epochs.get(run.name, status.epochs):
                self.say(f"    {run.name}, epoch {status.epochs}: {status.last}")
            self._epochs[run.name] = status.epochs
            if self._states.get(run.name) != state:
                self._states[run.name] = state
                self._report(run, state, f"[{done}/{len(schedule.runs)}]")

    def _report(self, run: Run, state: str, count: str) -> None:
        status = self._watcher.statuses[run.name]
        if state == RUNNING:
            self.say(f"{count} {run.name} starts" + (f" after epoch {status.epochs}" if status.epochs else ""))
        elif state in (FINISHED, KEPT):
            update_status(run, status)
            took = f" in {duration(time.time() - status.started)}" if status.started else ""
            self.say(
                f"{count} {run.name} is {'finished' if state == FINISHED else 'already finished'}{took}: {status.best}"
            )
        elif state == FAILED:
            self.say(f"{count} {run.name} FAILED; see {run.beside(record.LOG)}")
            self.say("\n".join(f"    {line}" for line in log_tail(run)))
        elif state == NOT_RUN:
            self.say(f"{count} {run.name} is skipped because it needs {', '.join(other.name for other in run.needs)}")

    def say(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Nothing to close."""


class TableProgress:
    """Shows the runs as a table on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._console = Console(stderr=True)
        # Redrawn only on changes: a drawing thread would be copied when processes are forked.
        self._live = Live(console=self._console, auto_refresh=False)
        self._watcher = Watcher()
        self._states: dict[str, str] = {}
        self._live.start()

    def __call__(self, schedule: Schedule) -> None:
        if self._watcher.look(schedule) or self._states != schedule.states:
            for run in schedule.runs:
                if schedule.states[run.name] == FAILED and self._states.get(run.name) not in (None, FAILED):
                    self.say(f"{run.name} failed; see {run.beside(record.LOG)}")
                    self.say("\n".join(f"    {line}" for line in log_tail(run)))
            self._states = dict(schedule.states)
            self._live.update(self.render(schedule), refresh=True)

    def render(self, schedule: Schedule) -> Any:
        from rich.table import Table

        left = remaining_seconds(schedule, self._watcher.statuses)
        is_done = not schedule.running and WAITING not in schedule.states.values()
        caption = "" if left is None or is_done else f"about {duration(left)} left"
        table = Table("run", "state", "epoch", "best on dev", "time", caption=caption, caption_justify="left")
        for cells, state in self._rows(schedule):
            table.add_row(*cells, style=COLOURS[state])
        return table

    def _rows(self, schedule: Schedule) -> list[Any]:
        rows, hidden = [], 0
        room = max(5, self._console.height - 8)
        # If there is not enough room, finished runs are summarised as a number.
        surplus = len(schedule.runs) - room
        for run in schedule.runs:
            state, status = schedule.states[run.name], self._watcher.statuses[run.name]
            if hidden < surplus and state in (KEPT, FINISHED, WAITING):
                hidden += 1
                continue
            took = duration((status.ended or time.time()) - status.started) if status.started else ""
            planned = run.params.get("trainer", {}).get("num_epochs", 20)
            rows.append(([run.name, state, f"{status.epochs}/{planned}", status.best, took], state))
        if hidden:
            rows.append(([f"… and {hidden} more, waiting or finished", "", "", "", ""], WAITING))
        return rows

    def say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False)

    def close(self) -> None:
        self._live.stop()


def make_progress() -> Any:
    """A table on a terminal, otherwise lines."""
    return TableProgress() if sys.stderr.isatty() else LineProgress()


def _describe(run: Run, metrics: dict[str, float]) -> str:
    return ", ".join(f"{name} {number(metrics[name], name)}" for name, _ in validation_metrics(run.params))
