"""
One convolution layer and max-pooling over many segments of a sentence, on the words' vectors with their tags as
one-hot.

    f_w = relu( max over windows of w words in the segment  W_w [h_i + onehot(tag_i), ..., h_i+w-1 +
    onehot(tag_i+w-1)] + b_w )

(+ within a word is concatenation.) A segment shorter than the window is padded with zeros at its end, an empty one
gives 0. A convolution is a sum over the words of its window, so a word is multiplied once, however many segments it
lies in and however many taggings there are of its sentence; a tag's part is looked up.
"""

from typing import List, Sequence

import torch
from torch import LongTensor, Tensor

from ner_zoo.modules.range_max import range_max


class SegmentCnn(torch.nn.Module):
    """
    input_dim : of the words' vectors.
    num_tags : of the one-hot tags.
    widths : of the windows, in words.
    filters : for each width.
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

    def get_output_dim(self) -> int:
        return len(self.widths) * self.filters

    def forward(self, vectors: Tensor, tags: LongTensor, first: LongTensor, last: LongTensor) -> Tensor:
        """
        vectors : `(words, input_dim)`, of all sentences one after the other.
        tags : `(n, words)`, each row another tagging of them.
        first, last : half-open segments `(segments,)` as places in the flattened tags.

        Returns `(segments, output_dim)`.
        """
        taps = (self.words(vectors) + self.tags(tags)).flatten(0, 1)  # (n * words, taps)
        parts = taps.split([width * self.filters for width in self.widths], 1)
        pooled = [self._pool(part, width, first, last) for part, width in zip(parts, self.widths)]
        is_empty = (last <= first).unsqueeze(1)
        return (torch.cat(pooled, 1) + self.bias).relu().masked_fill(is_empty, 0.0)

    def _pool(self, taps: Tensor, width: int, first: LongTensor, last: LongTensor) -> Tensor:
        first = first.clamp(max=len(taps) - 1)
        windows = self._windows(taps, width)
        pooled = range_max(windows[-1], first, last - width + 1)
        for length in range(1, width):
            short = windows[length - 1].index_select(0, first)
            pooled = torch.where((last - first == length).unsqueeze(1), short, pooled)
        return pooled

    def _windows(self, taps: Tensor, width: int) -> List[Tensor]:
        """The sums over the first 1, 2, ..., `width` words of the window that begins at each word."""
        sums = [taps[:, : self.filters]]
        for offset in range(1, width):
            tap = taps[:, offset * self.filters : (offset + 1) * self.filters]
            # Windows over the end of a sentence are never in a segment: what they hold does not matter.
            sums.append(sums[-1] + torch.cat([tap[offset:], tap[:offset]]))
        return sums
