"""
How far a comparison is: a line whenever a run starts, ends an epoch or ends.
"""

import sys
import time
from typing import Dict, TextIO

from ner_zoo.experiments.markdown import duration, number
from ner_zoo.experiments.plan import Run
from ner_zoo.experiments.schedule import (
    FAILED,
    FINISHED,
    KEPT,
    NOT_RUN,
    RUNNING,
    WAITING,
    Schedule,
    end_of_log,
)
from ner_zoo.experiments.scores import read_epochs, read_scores, validation_metrics

__all__ = ["Lines"]
LOOK_EVERY_SECONDS = 5.0


class Lines:
    """stream : where to write."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._states: Dict[str, str] = {}
        self._epochs: Dict[str, int] = {}
        self._started: Dict[str, float] = {}
        self._looked = 0.0

    def __call__(self, schedule: Schedule) -> None:
        done = sum(state in (KEPT, FINISHED) for state in schedule.states.values())
        for run in schedule.runs:
            state = schedule.states[run.name]
            if self._states.get(run.name) != state:
                self._states[run.name] = state
                self._tell(run, state, f"[{done}/{len(schedule.runs)}]")
        if time.monotonic() - self._looked > LOOK_EVERY_SECONDS:
            self._looked = time.monotonic()
            for run in schedule.runs:
                if schedule.states[run.name] == RUNNING:
                    self._tell_epochs(run)

    def _tell(self, run: Run, state: str, count: str) -> None:
        if state == RUNNING:
            self._started[run.name] = time.monotonic()
            self.say(f"{count} {run.name} starts")
        elif state in (FINISHED, KEPT):
            scores = read_scores(run)
            took = f" in {duration(time.monotonic() - self._started[run.name])}" if run.name in self._started else ""
            told = [
                f"{name} {number(scores.dev[name], name)}"
                for name, _ in validation_metrics(run.params)
                if name in scores.dev
            ]
            how = f"finished{took}" if state == FINISHED else "there already"
            self.say(f"{count} {run.name} is {how}: {', '.join(told)}")
        elif state == FAILED:
            told = end_of_log(run)
            self.say(f"{count} {run.name} FAILED; its log is {run.beside('.log')}")
            self.say("\n".join(f"    {line}" for line in told))
        elif state == NOT_RUN:
            self.say(f"{count} {run.name} is not run: it needs {', '.join(other.name for other in run.needs)}")
        else:
            assert state == WAITING

    def _tell_epochs(self, run: Run) -> None:
        epochs = read_epochs(run)
        before = self._epochs.get(run.name, 0)
        self._epochs[run.name] = len(epochs)
        if len(epochs) > before:
            last = epochs[-1]
            told = [f"{name} {number(last[name], name)}" for name, _ in validation_metrics(run.params) if name in last]
            self.say(f"    {run.name}, epoch {len(epochs) - 1}: {', '.join(told)}")

    def say(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()
