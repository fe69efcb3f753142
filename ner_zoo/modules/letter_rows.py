"""
A convolution over the vectors of letters with the largest value of each filter, without work on padding.

AllenNLP's CNNs go over a rectangle of letters, as wide as the longest word of the batch and mostly padding. Here the
letters of all words are one row, each is multiplied by all filters at once, and windows that would reach into the next
word are left out. `letter_windows` is faster, but knows letters by number only.
"""

from collections.abc import Sequence

import torch
from torch import BoolTensor, Tensor
from torch.nn import Conv1d
from torch.nn.functional import pad


def best_sums(vectors: Tensor, mask: BoolTensor, convolutions: Sequence[Conv1d]) -> list[Tensor]:
    """
    vectors, mask : `(words, letters, dim)` and `(words, letters)`, filled from the left; every word has a letter.

    For each width, the largest sum of a window, with the bias: `(words, filters)`, very small for a shorter word.
    """
    lengths = mask.sum(1)
    # How many letters of its word there are from each letter on.
    left = (lengths.unsqueeze(1) - mask.cumsum(1) + 1)[mask]  # (letters,)
    kernels = [conv.weight.permute(1, 2, 0).flatten(1) for conv in convolutions]  # (dim, width * filters)
    products = (vectors[mask] @ torch.cat(kernels, 1)).split([kernel.shape[1] for kernel in kernels], 1)
    found = []
    for conv, product in zip(convolutions, products):
        width = conv.kernel_size[0]
        steps = product.unflatten(1, (width, -1)).unbind(1)  # of each window's letters, its share in the sum
        sums = sum(pad(step[at:], (0, 0, 0, min(at, len(step)))) for at, step in enumerate(steps))
        sums = sums.masked_fill((left < width).unsqueeze(1), torch.finfo(sums.dtype).min)
        found.append(torch.segment_reduce(sums, "max", lengths=lengths, axis=0) + conv.bias)
    return found
