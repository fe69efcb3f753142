"""
A head converts vectors to a `Structure`: scores for every labelling of every sentence.
"""

from math import inf

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from torch import BoolTensor, Tensor

from ner_zoo.structures import Structure


class Head(torch.nn.Module, Registrable):
    """
    Base class: one subclass per kind of structure. The model sets `input_dim`, the size of the vectors, and `labels`;
    the rest comes from the config.
    """

    default_implementation = "softmax"

    def forward(self, vectors: Tensor, mask: BoolTensor) -> Structure:
        """From `(batch, positions, input_dim)` and `(batch, positions)`."""
        raise NotImplementedError


def check_temperature(temperature: float) -> float:
    """Checks the temperature of a structure."""
    if not 0.0 < temperature < inf:
        raise ConfigurationError(
            f"temperature is {temperature}, but must be above 0. A value of 1 leaves probabilities unchanged; higher "
            f"values make the model less confident."
        )
    return temperature
