"""
Learning curves of a training, from the metrics_epoch_*.json that AllenNLP writes next to an archive.
"""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from ner_zoo.rendering.loss_curve import LossCurve

EPOCH = re.compile(r"metrics_epoch_(\d+)\.json")


def loss_curve(archive: Path, validation_metric: str = "entity_f1") -> LossCurve | None:
    """`None` if there are no such files. `validation_metric` is as in a config: `+entity_f1`."""
    metric = validation_metric.lstrip("+-")
    epochs: dict[int, dict[str, Any]] = {}
    folder = archive if archive.is_dir() else archive.parent
    for file in folder.glob("metrics_epoch_*.json"):
        match = EPOCH.fullmatch(file.name)
        if match:
            epochs[int(match.group(1))] = json.loads(file.read_text(encoding="utf-8"))
    if not epochs:
        return None
    numbers = sorted(epochs)
    rows = [epochs[number] for number in numbers]
    return LossCurve(
        epochs=np.array(numbers, dtype=np.int64),
        training_loss=_column(rows, "training_loss"),
        validation_loss=_column(rows, "validation_loss"),
        validation_metric=_column(rows, f"validation_{metric}"),
        metric=metric,
        best_epoch=int(rows[-1].get("best_epoch", -1)),
    )


def _column(rows: list[dict[str, Any]], name: str) -> np.ndarray:
    return np.array([row.get(name, np.nan) for row in rows], dtype=np.float64)
