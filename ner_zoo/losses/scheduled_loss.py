"""
Base class of losses that change during training and depend on the epoch and the batch.

The callback `loss_schedule`, which every trainer has, sets them. Random draws depend only on the seed, the epoch and
the batch, so a resumed run repeats the same draws.
"""

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from torch import Tensor

from ner_zoo.losses.loss import Loss

NEVER = -1


class ScheduledLoss(Loss):
    """seed : random seed of the sampling."""

    epoch: Tensor

    def __init__(self, seed: int = 13370) -> None:
        super().__init__()
        self.seed = seed
        # Saved with the weights, so that an archive is evaluated with the loss it was trained with.
        self.register_buffer("epoch", torch.tensor(NEVER))
        self._batch = 0
        self._has_guessed = False

    def set_time(self, epoch: int, batch: int) -> None:
        """Sets the number of completed epochs, and of batches in the current one."""
        self.epoch.fill_(epoch)
        self._batch = batch

    @property
    def knows_time(self) -> bool:
        return int(self.epoch) != NEVER

    def epochs_trained(self) -> int:
        if self.training and not self.knows_time:
            if self._has_guessed:
                raise ConfigurationError(
                    f"The loss {type(self).__name__} depends on the epoch, which has not been set. Train with "
                    f"AllenNLP's trainer and do not set enable_default_callbacks to false, or add the callback "
                    f"`loss_schedule`; in your own training loop, call loss.set_time(epoch, batch) before each step."
                )
            # The very first step is always in the first epoch.
            self._has_guessed = True
        return max(int(self.epoch), 0)

    def uniform(self, *shape: int) -> Tensor:
        """Random numbers from [0, 1), the same for every call within a step, such as a second pass over a batch."""
        return torch.rand(shape, generator=self._generator())

    def _generator(self) -> torch.Generator | None:
        if not self.knows_time:
            return None
        rank = torch.distributed.get_rank() if is_distributed() else 0
        mixed = np.random.SeedSequence([self.seed, int(self.epoch), self._batch, rank]).generate_state(1, np.uint64)
        return torch.Generator().manual_seed(int(mixed[0] >> 1))
