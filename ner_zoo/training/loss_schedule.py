"""
Passes the current epoch and batch to losses that change during training.

Every trainer has this callback, so it cannot be forgotten in a config. It reads the trainer's own counters, which are
correct after resuming, and keeps none itself.
"""

from typing import Any

import torch
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.gradient_descent_trainer import GradientDescentTrainer
from overrides import overrides

from ner_zoo.losses.scheduled_loss import ScheduledLoss
from ner_zoo.platform.run_callback import FinishedBatch, RunCallback


def set_time_of_losses(model: torch.nn.Module, epoch: int, batch: int) -> None:
    """Sets in every loss inside `model` the number of completed epochs, and of batches in the current one."""
    for module in model.modules():
        if isinstance(module, ScheduledLoss):
            module.set_time(epoch, batch)


@TrainerCallback.register("loss_schedule")
class LossSchedule(RunCallback):
    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        # The trainer has loaded its checkpoint, but first replays up to it without calling callbacks.
        epoch, batch = trainer._start_after_epochs_completed, trainer._start_after_batches_in_epoch_completed
        set_time_of_losses(trainer.model, max(epoch, trainer._epochs_completed), batch)

    @overrides
    def after_batch(self, trainer: GradientDescentTrainer, batch: FinishedBatch) -> None:
        if batch.is_training:
            set_time_of_losses(trainer.model, batch.epoch, batch.number)

    @overrides
    def after_epoch(self, trainer: GradientDescentTrainer, metrics: dict[str, Any], epoch: int) -> None:
        set_time_of_losses(trainer.model, epoch + 1, 0)
