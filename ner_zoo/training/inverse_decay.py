"""
A learning rate that decays with the number of epochs, down to a minimum.

    lr_t = max(lr / (1 + rho t), floor),  t = epochs completed
"""

from math import inf

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from overrides import overrides


@LearningRateScheduler.register("inverse_decay")
class InverseDecay(LearningRateScheduler):
    """
    rho : decay rate.
    floor : minimum learning rate. A parameter group whose initial rate is lower keeps its rate.
    last_epoch : as in AllenNLP.
    """

    def __init__(
        self, optimizer: torch.optim.Optimizer, rho: float = 0.05, floor: float = 1e-4, last_epoch: int = -1
    ) -> None:
        super().__init__(optimizer, last_epoch)
        if not 0.0 <= rho < inf or not 0.0 <= floor < inf:
            raise ConfigurationError(f"rho is {rho} and floor is {floor}. Set both to 0 or more.")
        self.rho = rho
        self.floor = floor

    @overrides
    def get_values(self) -> list[float]:
        # AllenNLP steps at the end of each epoch, from -1: the rate set then applies to the next epoch.
        epochs = self.last_epoch + 1
        return [max(rate / (1 + self.rho * epochs), min(self.floor, rate)) for rate in self.base_values]
