"""
Tells losses that change in the course of training which epoch and batch it is.

Every trainer has this callback, so that no config can forget it. It reads the trainer's own count, which is right after
a resume, and counts nothing itself.
"""

from typing import Any

import torch
from allennlp.data import TensorDict
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.gradient_descent_trainer import GradientDescentTrainer
from overrides import overrides

from ner_zoo.losses.scheduled_loss import ScheduledLoss


def set_time_of_losses(model: torch.nn.Module, epoch: int, batch: int) -> None:
    """Tells every loss inside `model` how many epochs are over, and how many batches of the present one."""
    for module in model.modules():
        if isinstance(module, ScheduledLoss):
            module.set_time(epoch, batch)


@TrainerCallback.register("loss_schedule")
class LossSchedule(TrainerCallback):
    @overrides(check_signature=False)
    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True) -> None:
        super().on_start(trainer, is_primary)
        # The trainer has read its checkpoint by now, but counts up to it again, without calling back, before it trains.
        epoch, batch = trainer._start_after_epochs_completed, trainer._start_after_batches_in_epoch_completed
        set_time_of_losses(trainer.model, max(epoch, trainer._epochs_completed), batch)

    @overrides(check_signature=False)
    def on_batch(
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
        if is_training:
            set_time_of_losses(trainer.model, epoch, batch_number)

    @overrides(check_signature=False)
    def on_epoch(
        self, trainer: GradientDescentTrainer, metrics: dict[str, Any], epoch: int, is_primary: bool = True
    ) -> None:
        set_time_of_losses(trainer.model, epoch + 1, 0)
