"""
A loss that changes in the course of training: it knows the epoch and the batch.

The callback `loss_schedule`, which every trainer has, tells it. What it draws at random depends on its seed, the epoch
and the batch alone, so that a run that is stopped and recovered draws what it would have drawn.
"""

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from torch import Tensor

from ner_zoo.losses.loss import Loss

NEVER = -1


class ScheduledLoss(Loss):
    """seed : another seed draws other samples."""

    epoch: Tensor

    def __init__(self, seed: int = 13370) -> None:
        super().__init__()
        self.seed = seed
        # Saved with the weights, so that an archive evaluates with the loss it was trained with.
        self.register_buffer("epoch", torch.tensor(NEVER))
        self._batch = 0
        self._has_guessed = False

    def set_time(self, epoch: int, batch: int) -> None:
        """How many epochs are over, and how many batches of the present one."""
        self.epoch.fill_(epoch)
        self._batch = batch

    @property
    def knows_time(self) -> bool:
        return int(self.epoch) != NEVER

    def epochs_trained(self) -> int:
        if self.training and not self.knows_time:
            if self._has_guessed:
                raise ConfigurationError(
                    f"The loss {type(self).__name__} changes with the epoch, but it does not know which one this is. "
                    "Train with AllenNLP's trainer and do not set enable_default_callbacks to false, or add the "
                    "callback `loss_schedule`; in a loop of your own, call loss.set_time(epoch, batch) before a step."
                )
            # The first step of all is in the first epoch, whoever takes it.
            self._has_guessed = True
        return max(int(self.epoch), 0)

    def uniform(self, *shape: int) -> Tensor:
        """Draws from [0, 1), the same ones each time they are asked for in a step, as by a second pass over a batch."""
        return torch.rand(shape, generator=self._generator())

    def _generator(self) -> torch.Generator | None:
        if not self.knows_time:
            return None
        rank = torch.distributed.get_rank() if is_distributed() else 0
        mixed = np.random.SeedSequence([self.seed, int(self.epoch), self._batch, rank]).generate_state(1, np.uint64)
        return torch.Generator().manual_seed(int(mixed[0] >> 1))
