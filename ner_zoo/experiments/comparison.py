"""
One comparison from configs to a table, or the rest of one that was interrupted.
"""

import fcntl
import json
import signal
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Dict, Iterator, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from ner_zoo.experiments import markdown, record
from ner_zoo.experiments.plan import Plan
from ner_zoo.experiments.schedule import Engine, Schedule
from ner_zoo.experiments.summary import Summary, as_json, summarise

Watch = Callable[[Schedule], None]


def compare(
    plan: Plan,
    folder: Path,
    engine: Engine,
    machine: Dict[str, Any],
    watch: Watch,
    metrics: Sequence[str] = (),
    packages: Sequence[str] = (),
    rerun_changed: bool = False,
) -> Summary:
    """Trains what is not trained yet, and writes what came out; also if it is interrupted, of what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    with alone_in(folder), interruptible():
        record.check(plan.runs, rerun_changed)
        schedule = Schedule(plan.runs, engine, watch, packages)
        try:
            schedule.execute()
        finally:
            summary = summarise(plan, schedule.states, metrics)
            write(summary, plan, folder, machine)
    return summary


def write(summary: Summary, plan: Plan, folder: Path, machine: Dict[str, Any]) -> None:
    content = {**machine, **as_json(summary, plan)}
    record.write_whole(folder / "compare.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    record.write_whole(folder / "compare.md", markdown.render(summary, machine))


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Two comparisons in one folder would train the same runs."""
    with open(folder / "compare.lock", "w") as lock:
        try:
            # Of this process alone: those that are forked from it do not hold it when it is gone.
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigurationError(
                f"Another comparison is at work in {folder}. Wait for it, or give another folder with -s."
            ) from error
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """A request to end, or a terminal that closes, is an interruption from the keyboard."""

    def interrupt(number: int, frame: Optional[FrameType]) -> None:
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:  # as under nohup
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
