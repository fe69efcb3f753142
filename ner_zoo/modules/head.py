"""
A head turns vectors into a `Structure`: scores for every labelling of every sentence.
"""

from math import inf

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch import BoolTensor, Tensor

from ner_zoo.structures import Structure


class Head(torch.nn.Module, Registrable):
    """
    One subclass per kind of structure. A model constructs it with `input_dim`, the size of the vectors, and `labels`;
    the rest comes from the config.
    """

    default_implementation = "softmax"

    def forward(self, vectors: Tensor, mask: BoolTensor) -> Structure:
        """From `(batch, positions, input_dim)` and `(batch, positions)`."""
        raise NotImplementedError


def check_temperature(temperature: float) -> float:
    """What the scores of a structure may be divided by."""
    if not 0.0 < temperature < inf:
        raise ConfigurationError(
            f"The temperature is {temperature}. It is above 0: 1 leaves the probabilities as they are, more makes the "
            "model less sure of itself."
        )
    return temperature
