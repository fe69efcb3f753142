"""
A span representation turns the vectors of tokens into one vector for each span.

What can be worked out token by token is done once (`tokens`); the rest is done for as many spans at a time as the
memory allows. Spans are `(batch, spans, fragments, 2)`, half-open, with fragments `[-1, -1)` for filling; the vector of
a span that is nothing but filling has no meaning.
"""

import torch
from allennlp.common import Registrable
from torch import LongTensor, Tensor


class SpanRepresentation(torch.nn.Module, Registrable):
    """One subclass per kind. A model constructs it with `input_dim`, the size of the tokens' vectors."""

    default_implementation = "endpoints"

    def get_output_dim(self) -> int:
        raise NotImplementedError

    def tokens(self, encoded: Tensor) -> Tensor:
        """What spans are made of: `(batch, tokens, input_dim)` to `(batch, tokens, any)`."""
        return encoded

    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        """The vectors of one span or more, `(batch, spans, output_dim)`, from what `tokens` made."""
        raise NotImplementedError


def gather_tokens(tokens: Tensor, positions: LongTensor) -> Tensor:
    """The vectors `(batch, *, dim)` of tokens at positions `(batch, *)`; those below 0 are taken for 0."""
    batch, length, dim = tokens.shape
    first = torch.arange(batch, device=tokens.device) * length
    flat = positions.clamp(min=0).reshape(batch, -1) + first.unsqueeze(1)
    return tokens.reshape(batch * length, dim).index_select(0, flat.reshape(-1)).view(*positions.shape, dim)


def widths(spans: LongTensor) -> LongTensor:
    """The tokens of each span, without its gaps: `(batch, spans)`."""
    return (spans[..., 1] - spans[..., 0]).sum(2)
