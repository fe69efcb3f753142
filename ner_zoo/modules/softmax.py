"""
Independent labels: a linear layer and a softmax at each position.
"""

import torch
from overrides import overrides
from torch import BoolTensor, Tensor

from ner_zoo.labels.labels import Labels
from ner_zoo.modules.head import Head
from ner_zoo.structures import Independent


@Head.register("softmax")
class Softmax(Head):
    def __init__(self, input_dim: int, labels: Labels) -> None:
        super().__init__()
        self.background = labels.background
        self.projection = torch.nn.Linear(input_dim, len(labels.names))

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor) -> Independent:
        return Independent(self.projection(vectors), mask, self.background)
