"""
Scores of a run: the metrics of every epoch, of the best epoch on dev, and on the test file.
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
# The components of an F1 score.
COMPANIONS = ("precision", "recall")


@dataclass(frozen=True)
class Scores:
    """
    dev : metric -> value at the best epoch on dev.
    test : metric -> value of that epoch's model on the test file; empty if there is none.
    epochs : metric -> value after each epoch.
    """

    best_epoch: int | None
    dev: dict[str, float]
    test: dict[str, float]
    epochs: list[dict[str, float]]


def read_scores(run: Run) -> Scores:
    """The scores of a finished run, or of the finished part."""
    written = run.folder / "metrics.json"
    metrics = json.loads(written.read_text()) if written.exists() else {}
    return Scores(metrics.get("best_epoch"), with_prefix(metrics, BEST), with_prefix(metrics, TEST), read_epochs(run))


def read_epochs(run: Run) -> list[dict[str, float]]:
    epochs: list[dict[str, float]] = []
    while (path := run.folder / f"metrics_epoch_{len(epochs)}.json").exists():
        try:
            epochs.append(with_prefix(json.loads(path.read_text()), VALIDATION))
        except json.JSONDecodeError:  # being written
            break
    return epochs


def with_prefix(metrics: Mapping[str, Any], prefix: str) -> dict[str, float]:
    """The overall metrics of one kind; those of single types, after a slash, are in the run's own files."""
    return {
        name.removeprefix(prefix): value
        for name, value in metrics.items()
        if name.startswith(prefix) and "/" not in name and isinstance(value, (int, float)) and math.isfinite(value)
    }


def validation_metrics(params: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The validation metrics of a config: names, each with 1 if higher is better and -1 if lower is better."""
    given = params.get("trainer", {}).get("validation_metric", "-loss")
    names = [given] if isinstance(given, str) else list(given)
    return [(name.lstrip("+-"), -1 if name.startswith("-") else 1) for name in names]


def selection_score(run: Run, metrics: Mapping[str, float]) -> float | None:
    """The value that is maximal at a run's best epoch, as in AllenNLP's trainer."""
    wanted = validation_metrics(run.params)
    return sum(sign * metrics[name] for name, sign in wanted) if all(name in metrics for name, _ in wanted) else None


def is_less_better(metric: str) -> bool:
    return re.search(r"(^|_)(loss|perplexity|error)$", metric) is not None


def with_companions(metric: str, present: Mapping[str, float]) -> list[str]:
    """An F1 metric with its precision and recall, if available."""
    others = [re.sub(r"f1(?!.*f1)", name, metric) for name in COMPANIONS] if "f1" in metric else []
    return [metric, *(name for name in others if name != metric and name in present)]


def relative(path: Path) -> str:
    """
    A path that reveals nothing about the machine: relative to the working folder or $NER_ZOO_DATA, or just the
    name.
    """
    if not path.is_absolute():
        return path.as_posix()
    if path.is_relative_to(Path.cwd()):
        return path.relative_to(Path.cwd()).as_posix()
    data = os.environ.get("NER_ZOO_DATA")
    if data and path.is_relative_to(data):
        return f"$NER_ZOO_DATA/{path.relative_to(data).as_posix()}"
    return path.name
