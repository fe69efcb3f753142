"""
The results of each epoch, stored in checkpoints: a recovered run includes its earlier epochs, and the time between
interruption and recovery is not counted.
"""

import time
from dataclasses import asdict, dataclass, field
from typing import Any

from allennlp.training import GradientDescentTrainer
from overrides import overrides

from ner_zoo.platform.run_callback import FinishedBatch, RunCallback


@dataclass(frozen=True)
class Epoch:
    """
    number : counted from 0, as in AllenNLP.
    validation : the validation metrics without those of single types; empty without validation.
    is_best : whether this epoch is better than all before it.
    learning_rate : of the last batch; the highest one if parameter groups have different rates.
    """

    number: int
    training_loss: float | None = None
    validation: dict[str, float] = field(default_factory=dict)
    is_best: bool = False
    learning_rate: float | None = None
    seconds: float = 0.0


class EpochHistory(RunCallback):
    """Collects the epochs and calls `show` after each one, in the first process only."""

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self.epochs: list[Epoch] = []
        self._started = time.monotonic()
        self._seconds_before = 0.0  # for an epoch that is resumed
        self._learning_rate: float | None = None
        self._last_validated: int | None = None

    def show(self, trainer: GradientDescentTrainer) -> None:
        """Called after each epoch, which is the last of `epochs`."""
        raise NotImplementedError

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        self._started = time.monotonic() - self._seconds_before

    @overrides
    def after_batch(self, trainer: GradientDescentTrainer, batch: FinishedBatch) -> None:
        if batch.is_training:
            # At the end of the epoch the scheduler has already stepped.
            self._learning_rate = max(group["lr"] for group in trainer.optimizer.param_groups if group["params"])
        else:
            self._last_validated = batch.epoch

    @overrides
    def after_epoch(self, trainer: GradientDescentTrainer, metrics: dict[str, Any], epoch: int) -> None:
        # An epoch without validation repeats the figures of the previous one.
        is_validated = self._last_validated == epoch
        names = [name for name in metrics if name.startswith("validation_") and "/" not in name]
        validation = {name.removeprefix("validation_"): metrics[name] for name in names} if is_validated else {}
        now = time.monotonic()
        self.epochs.append(
            Epoch(
                number=epoch,
                training_loss=metrics.get("training_loss"),
                validation=validation,
                is_best=is_validated and metrics.get("best_epoch") == epoch,
                learning_rate=self._learning_rate,
                seconds=now - self._started,
            )
        )
        self._started = now
        if self.is_primary:
            self.show(trainer)

    @overrides
    def state_dict(self) -> dict[str, Any]:
        return {
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "seconds": time.monotonic() - self._started,
            "learning_rate": self._learning_rate,
        }

    @overrides
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        # AllenNLP assigns callback states by position: in a run with other callbacks this may be another callback's.
        self.epochs = [Epoch(**epoch) for epoch in state_dict.get("epochs", [])]
        self._seconds_before = state_dict.get("seconds", 0.0)
        self._learning_rate = state_dict.get("learning_rate")


def best(epochs: list[Epoch]) -> Epoch | None:
    """The last epoch that was better than all before it, whose weights AllenNLP keeps; `None` without validation."""
    return next((epoch for epoch in reversed(epochs) if epoch.is_best), None)
