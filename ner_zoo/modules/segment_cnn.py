"""
One convolution layer and max-pooling over many segments of a sentence, on word vectors concatenated with one-hot tags.

    f_w = relu( max over windows of w words in the segment  W_w [h_i + onehot(tag_i), ..., h_i+w-1 +
    onehot(tag_i+w-1)] + b_w )

(+ within a word is concatenation.) A segment shorter than the window is zero-padded at its end; an empty one gives 0. A
convolution is a sum over the words of its window, so each word is multiplied only once, regardless of the number of
segments and taggings; the part of a tag is looked up.
"""

from collections.abc import Sequence

import torch
from torch import LongTensor, Tensor

from ner_zoo.modules.range_max import range_argmax


class SegmentCnn(torch.nn.Module):
    """
    input_dim : size of the word vectors.
    num_tags : number of tags.
    widths : widths of the windows in words.
    filters : number of filters per width.
    """

    def __init__(self, input_dim: int, num_tags: int, widths: Sequence[int] = (2, 3), filters: int = 25) -> None:
        super().__init__()
        self.widths = tuple(widths)
        self.filters = filters
        taps = sum(self.widths) * filters
        self.words = torch.nn.Linear(input_dim, taps, bias=False)
        self.tags = torch.nn.Embedding(num_tags, taps)
        self.bias = torch.nn.Parameter(torch.zeros(len(self.widths) * filters))
        scale = (max(self.widths) * (input_dim + num_tags)) ** -0.5
        torch.nn.init.uniform_(self.words.weight, -scale, scale)
        torch.nn.init.uniform_(self.tags.weight, -scale, scale)

    def forward(self, vectors: Tensor, tags: LongTensor, first: LongTensor, last: LongTensor) -> Tensor:
        """
        vectors : `(words, input_dim)`, of all sentences in sequence.
        tags : `(n, words)`, one row per tagging.
        first, last : half-open segments `(segments,)` as positions in the flattened tags.

        Returns `(segments, output_dim)`.
        """
        words, tags, is_empty = self.words(vectors), tags.flatten(), (last <= first).unsqueeze(1)
        place = torch.arange(len(tags), device=tags.device)
        if 0 < int((last - first).clamp(min=0).sum()) < len(tags):
            # Entities cover few of the words; the segments between them overlap, and may cover more than all words.
            place, first, last = _packed(first, last)
        taps = words.index_select(0, place % len(words)) + self.tags(tags[place])  # (places, taps)
        parts = taps.split([width * self.filters for width in self.widths], 1)
        pooled = [self._pool(part, width, first, last) for part, width in zip(parts, self.widths)]
        return (torch.cat(pooled, 1) + self.bias).relu() * ~is_empty

    def _pool(self, taps: Tensor, width: int, first: LongTensor, last: LongTensor) -> Tensor:
        lengths = (last - first).clamp(1, width).unsqueeze(1)
        first = first.clamp(max=len(taps) - 1)
        windows = self._windows(taps, width)
        best = range_argmax(windows[-1], first, last - width + 1)  # (segments, filters)
        # A segment shorter than the window has one window, the sum over its words.
        best = torch.where(lengths < width, first.unsqueeze(1), best)
        return torch.cat(windows).gather(0, best + (lengths - 1) * len(taps))

    def _windows(self, taps: Tensor, width: int) -> list[Tensor]:
        """The sums over the first 1, 2, ..., `width` words of the window that starts at each word."""
        sums = [taps[:, : self.filters]]
        for offset in range(1, width):
            tap = taps[:, offset * self.filters : (offset + 1) * self.filters]
            # Windows across the end of a sentence are never in a segment, so their values do not matter.
            sums.append(sums[-1] + torch.cat([tap[offset:], tap[:offset]]))
        return sums


def _packed(first: LongTensor, last: LongTensor) -> tuple[LongTensor, LongTensor, LongTensor]:
    """The positions in segments, one segment after the other, and the position of each segment among them."""
    lengths = (last - first).clamp(min=0)
    end = lengths.cumsum(0)
    segment = torch.repeat_interleave(lengths)
    place = first[segment] + torch.arange(len(segment), device=first.device) - (end - lengths)[segment]
    return place, end - lengths, end
