"""
How far a comparison is. On a terminal a table that is drawn again and again; elsewhere a line for all that happens.
"""

import sys
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, TextIO

from ner_zoo.experiments import record
from ner_zoo.experiments.markdown import duration, number
from ner_zoo.experiments.plan import Run
from ner_zoo.experiments.schedule import FAILED, FINISHED, KEPT, NOT_RUN, RUNNING, WAITING, Schedule, end_of_log
from ner_zoo.experiments.scores import read_epochs, selection_score, validation_metrics

LOOK_EVERY_SECONDS = 2.0
COLOURS = {WAITING: "dim", RUNNING: "bold", KEPT: "green", FINISHED: "green", FAILED: "bold red", NOT_RUN: "red"}


@dataclass
class Sight:
    """What can be seen of a run: its epochs so far, how many there can be, the best score, and when it started."""

    epochs: int = 0
    last: str = ""
    best: str = ""
    started: float = 0.0
    ended: Optional[float] = None


class Watcher:
    """Looks at the runs' folders now and then."""

    def __init__(self) -> None:
        self.sights: Dict[str, Sight] = {}
        self._looked = 0.0

    def look(self, schedule: Schedule) -> bool:
        """Whether it looked."""
        now = time.time()
        if now - self._looked < LOOK_EVERY_SECONDS and set(self.sights) >= set(schedule.states):
            return False
        self._looked = now
        for run in schedule.runs:
            state = schedule.states[run.name]
            is_new = run.name not in self.sights
            sight = self.sights.setdefault(run.name, Sight())
            if state == RUNNING and not sight.started:
                sight.started = now
            if is_new or state == RUNNING or (sight.started and sight.ended is None):
                see_epochs(run, sight)
            if state not in (RUNNING, WAITING) and sight.started and sight.ended is None:
                sight.ended = now
        return True


def see_epochs(run: Run, sight: Sight) -> None:
    epochs = read_epochs(run)
    scored = [epoch for epoch in epochs if selection_score(run, epoch) is not None]
    sight.epochs = len(epochs)
    if scored:
        best = max(scored, key=lambda epoch: selection_score(run, epoch) or 0.0)
        sight.last, sight.best = _told(run, scored[-1]), _told(run, best)


def remaining_seconds(schedule: Schedule, sights: Dict[str, Sight]) -> Optional[float]:
    """
    From how long runs took, or the running ones will if no epoch is saved; none where nothing is known.
    """
    now, lengths, left = time.time(), [], 0.0
    for run in schedule.runs:
        known, sight = record.read(run), sights.get(run.name, Sight())
        if schedule.states[run.name] in (KEPT, FINISHED) and known is not None:
            lengths.append(known.wall_seconds)
        elif schedule.states[run.name] == RUNNING and sight.epochs:
            planned = run.params.get("trainer", {}).get("num_epochs", 20)
            whole = (now - sight.started) * planned / sight.epochs
            left += max(0.0, whole - (now - sight.started))
            lengths.append(whole)
    if not lengths:
        return None
    mean = sum(lengths) / len(lengths)
    waiting = sum(schedule.states[run.name] == WAITING for run in schedule.runs)
    unseen = sum(schedule.states[run.name] == RUNNING and not sights[run.name].epochs for run in schedule.runs)
    return (left + mean * (waiting + unseen)) / schedule.engine.slots


class Lines:
    """stream : gets a line whenever a run starts, ends an epoch or ends."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._watcher = Watcher()
        self._states: Dict[str, str] = {}
        self._epochs: Dict[str, int] = {}

    def __call__(self, schedule: Schedule) -> None:
        looked = self._watcher.look(schedule)
        done = sum(state in (KEPT, FINISHED) for state in schedule.states.values())
        for run in schedule.runs:
            state, sight = schedule.states[run.name], self._watcher.sights[run.name]
            if looked and state == RUNNING and sight.epochs > self._epochs.get(run.name, sight.epochs):
                self.say(f"    {run.name}, epoch {sight.epochs - 1}: {sight.last}")
            self._epochs[run.name] = sight.epochs
            if self._states.get(run.name) != state:
                self._states[run.name] = state
                self._tell(run, state, f"[{done}/{len(schedule.runs)}]")

    def _tell(self, run: Run, state: str, count: str) -> None:
        sight = self._watcher.sights[run.name]
        if state == RUNNING:
            self.say(f"{count} {run.name} starts" + (f" after epoch {sight.epochs - 1}" if sight.epochs else ""))
        elif state in (FINISHED, KEPT):
            see_epochs(run, sight)
            took = f" in {duration(time.time() - sight.started)}" if sight.started else ""
            self.say(
                f"{count} {run.name} is {'finished' if state == FINISHED else 'there already'}{took}: {sight.best}"
            )
        elif state == FAILED:
            self.say(f"{count} {run.name} FAILED; its log is {run.beside(record.LOG)}")
            self.say("\n".join(f"    {line}" for line in end_of_log(run)))
        elif state == NOT_RUN:
            self.say(f"{count} {run.name} is not run: it needs {', '.join(other.name for other in run.needs)}")

    def say(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Nothing is left open."""


class Table:
    """The runs as a table on a terminal; needs rich."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._console = Console(stderr=True)
        # Drawn when there is something new: a thread that draws would be there when processes are forked.
        self._live = Live(console=self._console, auto_refresh=False)
        self._watcher = Watcher()
        self._states: Dict[str, str] = {}
        self._live.start()

    def __call__(self, schedule: Schedule) -> None:
        if self._watcher.look(schedule) or self._states != schedule.states:
            for run in schedule.runs:
                if schedule.states[run.name] == FAILED and self._states.get(run.name) not in (None, FAILED):
                    self.say(f"{run.name} failed; its log is {run.beside(record.LOG)}")
                    self.say("\n".join(f"    {line}" for line in end_of_log(run)))
            self._states = dict(schedule.states)
            self._live.update(self.render(schedule), refresh=True)

    def render(self, schedule: Schedule) -> Any:
        from rich.table import Table as RichTable

        left = remaining_seconds(schedule, self._watcher.sights)
        is_done = not schedule.under_way and WAITING not in schedule.states.values()
        caption = "" if left is None or is_done else f"about {duration(left)} left"
        table = RichTable("run", "state", "epoch", "best on dev", "time", caption=caption, caption_justify="left")
        for cells, state in self._rows(schedule):
            table.add_row(*cells, style=COLOURS[state])
        return table

    def _rows(self, schedule: Schedule) -> List[Any]:
        rows, hidden = [], 0
        room = max(5, self._console.height - 8)
        # If there is not room for all, those that have ended well are told as a number.
        surplus = len(schedule.runs) - room
        for run in schedule.runs:
            state, sight = schedule.states[run.name], self._watcher.sights[run.name]
            if hidden < surplus and state in (KEPT, FINISHED, WAITING):
                hidden += 1
                continue
            took = duration((sight.ended or time.time()) - sight.started) if sight.started else ""
            planned = run.params.get("trainer", {}).get("num_epochs", 20)
            rows.append(([run.name, state, f"{sight.epochs}/{planned}", sight.best, took], state))
        if hidden:
            rows.append(([f"… and {hidden} more, waiting or finished", "", "", "", ""], WAITING))
        return rows

    def say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False)

    def close(self) -> None:
        self._live.stop()


def make_progress() -> Any:
    """A table where someone looks on and rich is there, lines elsewhere."""
    if sys.stderr.isatty():
        try:
            return Table()
        except ImportError:
            pass
    return Lines()


def _told(run: Run, metrics: Dict[str, float]) -> str:
    return ", ".join(f"{name} {number(metrics[name], name)}" for name, _ in validation_metrics(run.params))
