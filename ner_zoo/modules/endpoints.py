"""
Represents a span by its first token, its last token and its width.

    v = [h_first ; h_last ; width embedding]          for several fragments, the means of their first and last tokens
"""

import torch
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.modules.span_representation import SpanRepresentation, gather_tokens, widths


@SpanRepresentation.register("endpoints")
class Endpoints(SpanRepresentation):
    """
    width_dim : size of the width embedding; 0 for none.
    max_width : wider spans share the embedding of this width.
    """

    def __init__(self, input_dim: int, width_dim: int = 150, max_width: int = 10) -> None:
        super().__init__()
        self.max_width = max_width
        self.width_embedding = torch.nn.Embedding(max_width + 1, width_dim) if width_dim else None
        self._output_dim = 2 * input_dim + width_dim

    @overrides
    def get_output_dim(self) -> int:
        return self._output_dim

    @overrides
    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        parts = [mean_at(tokens, spans[..., 0]), mean_at(tokens, spans[..., 1] - 1)]
        if self.width_embedding is not None:
            parts.append(self.width_embedding(widths(spans).clamp(max=self.max_width)))
        return torch.cat(parts, dim=2)


def mean_at(tokens: Tensor, positions: LongTensor) -> Tensor:
    """
    The mean of the tokens at positions `(batch, spans, fragments)`, ignoring negative ones: `(batch, spans,
    dim)`.
    """
    if positions.shape[2] == 1:
        return gather_tokens(tokens, positions.squeeze(2))
    real = (positions >= 0).unsqueeze(3)
    return (gather_tokens(tokens, positions) * real).sum(2) / real.sum(2).clamp(min=1)
