"""
Represents a span by its first and last token, each through its own layer: the input of the head `biaffine`.

    v = [relu(W_1 h_first + b_1) ; relu(W_2 h_last + b_2)]
"""

import torch
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.endpoints import mean_at
from ner_zoo.modules.span_representation import SpanRepresentation


@SpanRepresentation.register("separate_endpoints")
class SeparateEndpoints(SpanRepresentation):
    """
    dim : size of each layer.
    dropout : dropout after them.
    """

    def __init__(self, input_dim: int, dim: int = 150, dropout: float = 0.2) -> None:
        super().__init__()
        self.dim = dim
        self.projection = torch.nn.Linear(input_dim, 2 * dim)
        self.dropout = Dropout(dropout)

    @overrides
    def get_output_dim(self) -> int:
        return 2 * self.dim

    @overrides
    def tokens(self, encoded: Tensor) -> Tensor:
        return self.dropout(self.projection(encoded).relu())

    @overrides
    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        as_first, as_last = tokens.chunk(2, dim=2)
        return torch.cat([mean_at(as_first, spans[..., 0]), mean_at(as_last, spans[..., 1] - 1)], dim=2)
