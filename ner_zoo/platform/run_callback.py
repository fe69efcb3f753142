"""
AllenNLP's trainer callback, with hooks that receive only what our callbacks use.
"""

from typing import Any, NamedTuple

from allennlp.data import TensorDict
from allennlp.training import GradientDescentTrainer, TrainerCallback
from overrides import overrides


class FinishedBatch(NamedTuple):
    """
    inputs, outputs : one of each per step of gradient accumulation.
    metrics : metrics of the epoch so far.
    epoch, number : of the batch; epochs count from 0, batches from 1.
    """

    inputs: list[TensorDict]
    outputs: list[dict[str, Any]]
    metrics: dict[str, Any]
    epoch: int
    number: int
    is_training: bool


class RunCallback(TrainerCallback):
    """
    is_primary : whether this is the first, or only, process of a run.
    hooks : handles of hooks on the model, which are removed at the end.
    """

    is_primary = True

    def __init__(self, serialization_dir: str) -> None:
        super().__init__(serialization_dir)
        self.hooks: list[Any] = []

    def begin(self, trainer: GradientDescentTrainer) -> None:
        """Called before the first epoch, and after a checkpoint was loaded."""

    def after_batch(self, trainer: GradientDescentTrainer, batch: FinishedBatch) -> None:
        """Called after every batch, including validation batches."""

    def after_epoch(self, trainer: GradientDescentTrainer, metrics: dict[str, Any], epoch: int) -> None:
        """Called after every epoch; epochs count from 0."""

    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        """Called after the last epoch, or when training ends with an error: then there are no metrics."""

    @overrides(check_signature=False)
    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True) -> None:  # type: ignore[override]
        self.trainer = trainer
        self.is_primary = is_primary
        self.begin(trainer)

    @overrides(check_signature=False)
    def on_batch(  # type: ignore[override]
        self,
        trainer: GradientDescentTrainer,
        batch_inputs: list[TensorDict],
        batch_outputs: list[dict[str, Any]],
        batch_metrics: dict[str, Any],
        epoch: int,
        batch_number: int,
        is_training: bool,
        is_primary: bool = True,
        batch_grad_norm: float | None = None,
    ) -> None:
        batch = FinishedBatch(batch_inputs, batch_outputs, batch_metrics, epoch, batch_number, is_training)
        self.after_batch(trainer, batch)

    @overrides(check_signature=False)
    def on_epoch(  # type: ignore[override]
        self, trainer: GradientDescentTrainer, metrics: dict[str, Any], epoch: int, is_primary: bool = True
    ) -> None:
        self.is_primary = is_primary
        self.after_epoch(trainer, metrics, epoch)

    @overrides(check_signature=False)
    def on_end(  # type: ignore[override]
        self,
        trainer: GradientDescentTrainer,
        metrics: dict[str, Any] | None = None,
        epoch: int | None = None,
        is_primary: bool = True,
    ) -> None:
        self.is_primary = is_primary
        self.finish(trainer, metrics)
        for hook in self.hooks:
            hook.remove()
