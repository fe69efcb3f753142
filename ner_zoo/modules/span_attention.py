"""
Represents a span by an attention-weighted sum of a BiLSTM over its own tokens.

    H = BiLSTM(tokens of the span)        v = sum_i softmax(H · h_final)_i H_i        h_final = [last forward ; last
    backward]

The tokens of a discontinuous span are those of all its fragments, in order. With the encoder `pass_through`, no token
outside the span is used.
"""

from typing import Any

import torch
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.modules.span_representation import SpanRepresentation, gather_tokens, widths


@SpanRepresentation.register("span_attention")
class SpanAttention(SpanRepresentation):
    """hidden_size : size of the LSTM in each direction."""

    def __init__(self, input_dim: int, hidden_size: int = 200) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.forward_lstm = torch.nn.LSTM(input_dim, hidden_size, batch_first=True)
        self.backward_lstm = torch.nn.LSTM(input_dim, hidden_size, batch_first=True)

    @overrides
    def get_output_dim(self) -> int:
        return 2 * self.hidden_size

    @overrides
    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        return self.attend(tokens, spans, max(int(widths(spans).max()), 1))

    def attend(self, tokens: Tensor, spans: LongTensor, width: Any) -> Tensor:
        """width : width of the widest span."""
        batch, count = spans.shape[:2]
        length = widths(spans).reshape(-1)  # (all spans of the batch,)
        inside = torch.arange(width, device=spans.device) < length.unsqueeze(1)  # (spans, width)
        forwards = own_positions(spans, width).flatten(1)
        # Both directions read from the left, the backward one its own tokens in reverse, so no packing is needed.
        mirror = (length.unsqueeze(1) - 1 - torch.arange(width, device=spans.device)).clamp(min=0)
        words = gather_tokens(tokens, forwards).view(batch * count, width, -1)
        there, _ = self.forward_lstm(words)
        back, _ = self.backward_lstm(_rows(words, mirror))
        last = (length - 1).clamp(min=0).view(-1, 1)
        final = torch.cat([_rows(there, last), _rows(back, last)], dim=2)  # (spans, 1, 2 * hidden)
        hidden = torch.cat([there, _rows(back, mirror)], dim=2)  # (spans, width, 2 * hidden)
        logits = (hidden * final).sum(2).masked_fill(~inside, torch.finfo(hidden.dtype).min)
        return (logits.softmax(1).unsqueeze(1) @ hidden).view(batch, count, -1)


def own_positions(spans: LongTensor, width: Any) -> LongTensor:
    """The positions of each span's tokens in order, 0 after the last: `(batch, spans, width)`."""
    sizes = spans[..., 1] - spans[..., 0]  # (batch, spans, fragments)
    ends = sizes.cumsum(2)
    place = torch.arange(width, device=spans.device)
    # The fragment of each token, and its offset in the fragment.
    fragment = (place.view(1, 1, -1, 1) >= ends.unsqueeze(2)).sum(3)
    known = fragment.clamp(max=spans.shape[2] - 1)
    start = spans[..., 0].gather(2, known) - (ends - sizes).gather(2, known)
    return (start + place).masked_fill(fragment >= spans.shape[2], 0)


def _rows(values: Tensor, places: LongTensor) -> Tensor:
    """From `(spans, width, dim)` at `(spans, places)`."""
    return values.gather(1, places.unsqueeze(2).expand(-1, -1, values.shape[2]))
