"""
Files of a run on disk, and its state: finished, resumable, new, or created by another config.

    runs/NAME/<config>/seed_1/             AllenNLP's serialization folder
    runs/NAME/<config>/seed_1.json         the record: hash, how it ended, seconds, memory
    runs/NAME/<config>/seed_1.config.json  the evaluated config
    runs/NAME/<config>/seed_1.log          its output

A record is written when a run starts and when it ends. A run never writes to a folder with another hash.
"""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.experiments.plan import Run
from ner_zoo.experiments.process import Usage
from ner_zoo.platform.atomic_files import write_atomically

RUNNING, FINISHED, FAILED, INTERRUPTED = "running", "finished", "failed", "interrupted"
RECORD, CONFIG, LOG = ".json", ".config.json", ".log"
METRICS = "metrics.json"
MAX_DIFFERENCES = 5


@dataclass(frozen=True)
class Record:
    """
    hash : hash of the evaluated config.
    state, exit_status : how it ended; a negative exit status is the signal that ended it.
    wall_seconds, cpu_seconds, peak_memory_mb : over all attempts; every interruption adds an attempt.
    started : start of the last attempt, in seconds since the epoch.
    """

    hash: str
    state: str = RUNNING
    exit_status: int | None = None
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    attempts: int = 0
    started: float = 0.0

    def after(self, state: str, exit_status: int | None, usage: Usage) -> "Record":
        return replace(
            self,
            state=state,
            exit_status=exit_status,
            wall_seconds=round(self.wall_seconds + usage.wall_seconds, 1),
            cpu_seconds=round(self.cpu_seconds + usage.cpu_seconds, 1),
            peak_memory_mb=round(max(self.peak_memory_mb, usage.peak_memory_mb), 1),
        )


def read(run: Run) -> Record | None:
    path = run.beside(RECORD)
    return Record(**json.loads(path.read_text())) if path.exists() else None


def write(run: Run, record: Record) -> None:
    write_atomically(run.beside(RECORD), json.dumps(asdict(record), indent=2) + "\n")


def is_finished(run: Run) -> bool:
    record = read(run)
    is_done = record is not None and record.hash == run.hash and record.state == FINISHED
    return is_done and (run.folder / METRICS).exists()


def can_recover(run: Run) -> bool:
    """Whether there is a checkpoint to resume from."""
    return (run.folder / "config.json").exists() and any(run.folder.glob("training_state_e*_b*.th"))


def begin(run: Run, now: float) -> Record:
    """Writes the record of an attempt that starts now, including the time of an attempt that was killed."""
    record = read(run) or Record(run.hash)
    if record.state == RUNNING and record.started:
        # Killed together with the comparison: it was alive when it last wrote to its log.
        log = run.beside(LOG)
        last = log.stat().st_mtime if log.exists() else record.started
        record = record.after(INTERRUPTED, None, Usage(max(0.0, last - record.started), 0.0, 0.0))
    record = replace(record, state=RUNNING, exit_status=None, attempts=record.attempts + 1, started=now)
    write_atomically(run.beside(CONFIG), json.dumps(run.params, indent=2) + "\n")
    write(run, record)
    return record


def check(runs: list[Run], rerun: bool = False) -> None:
    """Refuses, before any training, to overwrite runs of other configs; with `rerun`, moves them away."""
    changed = [run for run in runs if _has_another_hash(run)]
    if rerun:
        for run in changed:
            _move_away(run)
    elif changed:
        reasons = "\n".join(f"  {run.folder}: {_difference(run)}" for run in changed)
        raise ConfigurationError(
            f"These runs exist, but their configs have changed:\n{reasons}\nNothing was overwritten. Pass another "
            f"folder with -s, or --rerun-changed to train them again and keep the old runs next to the new ones."
        )


def _has_another_hash(run: Run) -> bool:
    record = read(run)
    if record is not None:
        return record.hash != run.hash
    return run.folder.exists() and any(run.folder.iterdir())


def _move_away(run: Run) -> None:
    number = 1
    while any(run.folder.parent.glob(f"{run.folder.name}.old_{number}*")):
        number += 1
    for path in sorted(run.folder.parent.iterdir()):
        ending = path.name.removeprefix(run.folder.name)
        if path.name.startswith(run.folder.name) and (not ending or ending[0] == ".") and ".old_" not in ending:
            path.rename(path.with_name(f"{run.folder.name}.old_{number}{ending}"))


def _difference(run: Run) -> str:
    """A few of the keys that differ."""
    path = run.beside(CONFIG)
    if read(run) is None or not path.exists():
        return "not created by compare"
    old, new = flat(json.loads(path.read_text())), flat(run.params)
    keys = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    changes = [
        f"{key} was {json.dumps(old.get(key))} and is {json.dumps(new.get(key))}" for key in keys[:MAX_DIFFERENCES]
    ]
    more = [f"and {len(keys) - MAX_DIFFERENCES} more"] if len(keys) > MAX_DIFFERENCES else []
    return ", ".join(changes + more) or "a run that it depends on has changed"


def flat(value: Any, prefix: str = "") -> dict[str, Any]:
    """Every value by its dotted key, as in overrides."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [flat(item, f"{prefix}{key}.") for key, item in items]
    return {key: item for part in below for key, item in part.items()} if below else {prefix.rstrip("."): value}
