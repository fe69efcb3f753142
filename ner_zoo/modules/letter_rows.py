"""
Convolution over letter vectors with max-pooling, without computation on padding.

AllenNLP's CNNs process a rectangle of letters as wide as the longest word of the batch, mostly padding. Here the
letters of all words form one row, each is multiplied by all filters at once, and windows that cross word boundaries are
left out. `letter_windows` is faster, but requires letter ids.
"""

from collections.abc import Callable, Sequence

import torch
from torch import LongTensor, Tensor
from torch.nn import Conv1d
from torch.nn.functional import pad


def kernels(convolutions: Sequence[Conv1d]) -> Tensor:
    """All filters as one matrix `(dim, positions * filters)`: all positions of the first width, then the second, …"""
    return torch.cat([conv.weight.permute(1, 2, 0).flatten(1) for conv in convolutions], 1)


def pooled(
    letters: Tensor, lengths: LongTensor, convolutions: Sequence[Conv1d], activation: Callable[[Tensor], Tensor]
) -> Tensor:
    """
    letters, lengths : the letters of all words `(letters, dim)`, and the length of each word `(words,)`.
    activation : of the filters, monotonic.

    The maximum over the windows of each word `(words, widths * filters)`, 0 for a word shorter than the window.
    """
    # The number of letters of the word from each letter on.
    left = lengths.cumsum(0).repeat_interleave(lengths) - torch.arange(len(letters), device=letters.device)
    sizes = [conv.kernel_size[0] * conv.out_channels for conv in convolutions]
    word = torch.arange(len(lengths), device=letters.device).repeat_interleave(lengths).unsqueeze(1)
    products = (letters @ kernels(convolutions)).split(sizes, 1)
    found = []
    for conv, product in zip(convolutions, products):
        width = conv.kernel_size[0]
        steps = product.unflatten(1, (width, -1)).unbind(1)  # the contribution of each letter of a window
        sums = sum(pad(step[at:], (0, 0, 0, min(at, len(step)))) for at, step in enumerate(steps))
        sums = sums.masked_fill((left < width).unsqueeze(1), torch.finfo(sums.dtype).min)
        # Not torch's `segment_reduce`, which counts negative gradients once for each of several equal windows.
        best = sums.new_zeros(len(lengths), sums.shape[1])
        best = best.scatter_reduce(0, word.expand_as(sums), sums, "amax", include_self=False)
        found.append(activation(best + conv.bias).masked_fill((lengths < width).unsqueeze(1), 0.0))
    return torch.cat(found, 1).to(letters.dtype)
