"""
What a run has reached: the metrics of every epoch, of the best one on dev, and on the test file.
"""

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ner_zoo.experiments.plan import Run

BEST, VALIDATION, TEST = "best_validation_", "validation_", "test_"
# Beside an F1, what it is made of.
COMPANIONS = ("precision", "recall")


@dataclass(frozen=True)
class Scores:
    """
    dev : metric -> value at the epoch that is best on dev.
    test : metric -> value of that epoch's model on the test file; empty where there is none.
    epochs : metric -> value after each epoch.
    """

    best_epoch: int | None
    dev: dict[str, float]
    test: dict[str, float]
    epochs: list[dict[str, float]]


def read_scores(run: Run) -> Scores:
    """Of a finished run, or of as much of one as there is."""
    written = run.folder / "metrics.json"
    metrics = json.loads(written.read_text()) if written.exists() else {}
    return Scores(metrics.get("best_epoch"), with_prefix(metrics, BEST), with_prefix(metrics, TEST), read_epochs(run))


def read_epochs(run: Run) -> list[dict[str, float]]:
    epochs: list[dict[str, float]] = []
    while (path := run.folder / f"metrics_epoch_{len(epochs)}.json").exists():
        try:
            epochs.append(with_prefix(json.loads(path.read_text()), VALIDATION))
        except json.JSONDecodeError:  # it is being written
            break
    return epochs


def with_prefix(metrics: Mapping[str, Any], prefix: str) -> dict[str, float]:
    """The overall figures of one kind; those of single types, after a slash, are in the run's own files."""
    return {
        name.removeprefix(prefix): value
        for name, value in metrics.items()
        if name.startswith(prefix) and "/" not in name and isinstance(value, (int, float)) and math.isfinite(value)
    }


def validation_metrics(params: Mapping[str, Any]) -> list[tuple[str, int]]:
    """By what a config selects its best epoch: names, each with 1 where more is better and -1 where less is."""
    given = params.get("trainer", {}).get("validation_metric", "-loss")
    names = [given] if isinstance(given, str) else list(given)
    return [(name.lstrip("+-"), -1 if name.startswith("-") else 1) for name in names]


def selection_score(run: Run, metrics: Mapping[str, float]) -> float | None:
    """What is the highest at a run's best epoch, as AllenNLP's trainer counts it."""
    wanted = validation_metrics(run.params)
    return sum(sign * metrics[name] for name, sign in wanted) if all(name in metrics for name, _ in wanted) else None


def is_less_better(metric: str) -> bool:
    return re.search(r"(^|_)(loss|perplexity|error)$", metric) is not None


def with_companions(metric: str, present: Mapping[str, float]) -> list[str]:
    """An F1 with its precision and recall, where they are there."""
    others = [re.sub(r"f1(?!.*f1)", name, metric) for name in COMPANIONS] if "f1" in metric else []
    return [metric, *(name for name in others if name != metric and name in present)]


def relative(path: Path) -> str:
    """A path that says nothing of the machine: from the working folder or $NER_ZOO_DATA, or the name alone."""
    if not path.is_absolute():
        return path.as_posix()
    if path.is_relative_to(Path.cwd()):
        return path.relative_to(Path.cwd()).as_posix()
    data = os.environ.get("NER_ZOO_DATA")
    if data and path.is_relative_to(data):
        return f"$NER_ZOO_DATA/{path.relative_to(data).as_posix()}"
    return path.name
