"""
Independent labels scored by a biaffine function of the two halves of a vector: for the endpoints of a span.

    score(label) = x^T U_label y + w_label · [x ; y] + b_label          Yu, Bohnet and Poesio, 2020
"""

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, Tensor

from ner_zoo.labels.labels import Labels
from ner_zoo.modules.head import Head
from ner_zoo.structures import Independent


@Head.register("biaffine")
class Biaffine(Head):
    def __init__(self, input_dim: int, labels: Labels) -> None:
        super().__init__()
        if input_dim % 2:
            raise ConfigurationError(
                f"The head `biaffine` multiplies the two halves of a vector, but the size here is {input_dim}."
                " Use the representation `separate_endpoints` in the model `span`."
            )
        self.background = labels.background
        half = input_dim // 2
        self.bilinear = torch.nn.Parameter(torch.empty(half, len(labels.names) * half))
        torch.nn.init.xavier_uniform_(self.bilinear)
        self.linear = torch.nn.Linear(input_dim, len(labels.names))

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor) -> Independent:
        x, y = vectors.chunk(2, dim=2)
        turned = (x @ self.bilinear).unflatten(2, (-1, y.shape[2]))  # (batch, positions, labels, half)
        scores = (turned @ y.unsqueeze(3)).squeeze(3) + self.linear(vectors)
        return Independent(scores, mask, self.background)
