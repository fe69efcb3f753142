"""
Negative sampling that prefers spans about which the model is uncertain, but which it does not predict as entities.

    weight = exp(v / temperature)        v = u · (1 + r)^mu
    u = entropy of the span's labels, relative to the maximum         r = p(O) - max over types of p(type)

A span that the model is certain about teaches little (u), and a span that it predicts as an entity may be an unlabelled
one (r). Li, Liu and Shi, 2022.
"""

from math import log

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.negative_sampling import NegativeSampling
from ner_zoo.structures.independent import Independent


@Loss.register("weighted_negative_sampling")
class WeightedNegativeSampling(NegativeSampling):
    """
    rate, loss, seed : as for `negative_sampling`.
    mu : how strongly spans that look like entities are avoided.
    temperature : large values make all spans equally likely.
    """

    def __init__(
        self,
        rate: float = 0.35,
        loss: Loss | None = None,
        mu: float = 2.0,
        temperature: float = 0.5,
        seed: int = 13370,
    ) -> None:
        super().__init__(rate, loss, seed)
        if temperature <= 0:
            raise ConfigurationError(f"temperature is {temperature}. Set it to a number above 0.")
        self.mu = mu
        self.temperature = temperature

    @overrides
    def log_weights(self, structure: Independent) -> Tensor:
        probabilities = structure.marginals().detach()  # (batch, positions, labels)
        labels = probabilities.shape[2]
        if structure.background < 0 or labels < 2:
            return super().log_weights(structure)
        u = torch.special.entr(probabilities).sum(2) / log(labels)
        others = torch.arange(labels, device=probabilities.device) != structure.background
        r = probabilities[..., structure.background] - probabilities[..., others].amax(2)
        return u * (1 + r).clamp(min=0.0) ** self.mu / self.temperature
