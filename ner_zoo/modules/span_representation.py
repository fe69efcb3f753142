"""
A span representation converts token vectors to one vector per span.

Per-token computations are done once (`tokens`); the rest is done for as many spans at a time as memory allows. Spans
are `(batch, spans, fragments, 2)`, half-open, padded with fragments `[-1, -1)`; the vector of a span that is all
padding is undefined.
"""

import torch
from allennlp.common import Registrable
from torch import LongTensor, Tensor


class SpanRepresentation(torch.nn.Module, Registrable):
    """Base class: one subclass per kind. The model sets `input_dim`, the size of the token vectors."""

    default_implementation = "endpoints"

    def get_output_dim(self) -> int:
        raise NotImplementedError

    def tokens(self, encoded: Tensor) -> Tensor:
        """Per-token features of spans: `(batch, tokens, input_dim)` to `(batch, tokens, any)`."""
        return encoded

    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        """The vectors of at least one span, `(batch, spans, output_dim)`, from the result of `tokens`."""
        raise NotImplementedError


def gather_tokens(tokens: Tensor, positions: LongTensor) -> Tensor:
    """The vectors `(batch, *, dim)` of tokens at positions `(batch, *)`; negative positions are treated as 0."""
    batch, length, dim = tokens.shape
    first = torch.arange(batch, device=tokens.device) * length
    flat = positions.clamp(min=0).reshape(batch, -1) + first.unsqueeze(1)
    return tokens.reshape(batch * length, dim).index_select(0, flat.reshape(-1)).view(*positions.shape, dim)


def widths(spans: LongTensor) -> LongTensor:
    """The number of tokens of each span, without gaps: `(batch, spans)`."""
    return (spans[..., 1] - spans[..., 0]).sum(2)
