"""
Represents a span by its endpoints and its width, including the first layer of the network above.

    v = relu(W_1 h_first + W_2 h_last + W_3 width embedding + b)

Computes the same function as `endpoints` followed by such a layer, but applies the layer once per token instead of once
per span, of which there are ten times as many.
"""

import torch
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.endpoints import mean_at
from ner_zoo.modules.span_representation import SpanRepresentation, widths


@SpanRepresentation.register("projected_endpoints")
class ProjectedEndpoints(SpanRepresentation):
    """
    dim : size of the layer.
    width_dim : size of the width embedding.
    max_width : wider spans share the embedding of this width.
    dropout : dropout after the layer.
    """

    def __init__(
        self, input_dim: int, dim: int = 150, width_dim: int = 150, max_width: int = 10, dropout: float = 0.2
    ) -> None:
        super().__init__()
        self.dim = dim
        self.max_width = max_width
        self.endpoint_projection = torch.nn.Linear(input_dim, 2 * dim)
        self.width_embedding = torch.nn.Embedding(max_width + 1, width_dim)
        # The projection of the endpoints already has a bias.
        self.width_projection = torch.nn.Linear(width_dim, dim, bias=False)
        self.dropout = Dropout(dropout)

    @overrides
    def get_output_dim(self) -> int:
        return self.dim

    @overrides
    def tokens(self, encoded: Tensor) -> Tensor:
        return self.endpoint_projection(encoded)

    @overrides
    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        as_first, as_last = tokens.chunk(2, dim=2)
        every_width = self.width_projection(self.width_embedding.weight)  # (widths, dim)
        width = torch.nn.functional.embedding(widths(spans).clamp(max=self.max_width), every_width)
        total = mean_at(as_first, spans[..., 0]) + mean_at(as_last, spans[..., 1] - 1) + width
        return self.dropout(total.relu())
