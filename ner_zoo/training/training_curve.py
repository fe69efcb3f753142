"""
Draws `training_curve.png` in the folder of a run: both losses and the score of every epoch, with the best one marked.

This is one of the default callbacks. The picture is redrawn at the end of an epoch if the last one is old enough, and
at the end of training. A failure to draw it is only a warning.
"""

import logging
import time
from pathlib import Path
from typing import Any

from allennlp.training import GradientDescentTrainer, TrainerCallback
from overrides import overrides

from ner_zoo.platform.atomic_files import write_atomically
from ner_zoo.platform.epoch_history import Epoch, EpochHistory, best

logger = logging.getLogger(__name__)

PICTURE = "training_curve.png"


@TrainerCallback.register("training_curve")
class TrainingCurve(EpochHistory):
    """seconds : minimum time between two pictures within a run."""

    def __init__(self, serialization_dir: str, seconds: float = 20.0) -> None:
        super().__init__(serialization_dir)
        self.seconds = seconds
        self._drawn = time.monotonic()
        self._is_stale = False

    @overrides
    def show(self, trainer: GradientDescentTrainer) -> None:
        self._is_stale = True
        if time.monotonic() - self._drawn >= self.seconds:
            self._draw(trainer)

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        if self.is_primary and self._is_stale and metrics is not None:
            self._draw(trainer)

    def _draw(self, trainer: GradientDescentTrainer) -> None:
        if self.serialization_dir is None:
            return
        path = Path(self.serialization_dir) / PICTURE
        try:
            write_atomically(path, picture(self.epochs, _metric(trainer)))
        except Exception as error:
            logger.warning("Could not draw %s; training continues: %s", path, error)
        self._drawn = time.monotonic()
        self._is_stale = False


def _metric(trainer: GradientDescentTrainer) -> str:
    """The score to draw: the first validation metric, or entity F1 if that is the loss."""
    tracked: list[str] = [name for _, name in trainer._metric_tracker.tracked_metrics if name != "loss"]
    return tracked[0] if tracked else "entity_f1"


def picture(epochs: list[Epoch], metric: str) -> bytes:
    """Draws the file in the light theme."""
    from numpy import array

    from ner_zoo.rendering.loss_curve import LossCurve, loss_curve
    from ner_zoo.rendering.theme import LIGHT, png

    best_epoch = best(epochs)
    curve = LossCurve(
        epochs=array([epoch.number for epoch in epochs]),
        training_loss=array([epoch.training_loss for epoch in epochs], dtype=float),
        validation_loss=array([epoch.validation.get("loss") for epoch in epochs], dtype=float),
        validation_metric=array([epoch.validation.get(metric) for epoch in epochs], dtype=float),
        metric=metric,
        best_epoch=-1 if best_epoch is None else best_epoch.number,
    )
    return png(loss_curve(curve, LIGHT), is_small=False)
