"""
A weighted sum of losses on one structure.

    L = sum_i w_i L_i
"""

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.structure import Structure


@Loss.register("weighted_sum")
class WeightedSum(Loss):
    """
    losses : the parts.
    weights : one weight per loss (default: all 1).
    """

    def __init__(self, losses: list[Loss], weights: list[float] | None = None) -> None:
        super().__init__()
        weights = [1.0] * len(losses) if weights is None else weights
        if not losses or len(weights) != len(losses):
            raise ConfigurationError(
                f"The loss `weighted_sum` has {len(losses)} losses and {len(weights)} weights. Set at least one loss, "
                f"and either one weight per loss or none."
            )
        self.losses = torch.nn.ModuleList(losses)
        self.weights = weights

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        parts = [weight * loss.per_sentence(structure, gold) for weight, loss in zip(self.weights, self.losses)]
        return torch.stack(parts).sum(0)

    @overrides
    def forward(self, structure: Structure, gold: LongTensor) -> Tensor:
        # Each loss handles positions without a known label itself.
        parts = [weight * loss(structure, gold) for weight, loss in zip(self.weights, self.losses)]
        return torch.stack(parts).sum()
