"""
Convolution over letter vectors with max-pooling, without computation on padding.

AllenNLP's CNNs process a rectangle of letters as wide as the longest word of the batch, mostly padding. Here the
letters of all words form one row, each is multiplied by all filters at once, and windows that cross word boundaries are
left out. `letter_windows` is faster, but requires letter ids.
"""

from collections.abc import Sequence

import torch
from torch import BoolTensor, Tensor
from torch.nn import Conv1d
from torch.nn.functional import pad


def best_sums(vectors: Tensor, mask: BoolTensor, convolutions: Sequence[Conv1d]) -> list[Tensor]:
    """
    vectors, mask : `(words, letters, dim)` and `(words, letters)`, left-aligned; no word is empty.

    For each width, the maximum window sum, including the bias: `(words, filters)`, very small for shorter words.
    """
    lengths = mask.sum(1)
    # The number of letters of the word from each letter on.
    left = (lengths.unsqueeze(1) - mask.cumsum(1) + 1)[mask]  # (letters,)
    kernels = [conv.weight.permute(1, 2, 0).flatten(1) for conv in convolutions]  # (dim, width * filters)
    products = (vectors[mask] @ torch.cat(kernels, 1)).split([kernel.shape[1] for kernel in kernels], 1)
    found = []
    for conv, product in zip(convolutions, products):
        width = conv.kernel_size[0]
        steps = product.unflatten(1, (width, -1)).unbind(1)  # the contribution of each letter of a window
        sums = sum(pad(step[at:], (0, 0, 0, min(at, len(step)))) for at, step in enumerate(steps))
        sums = sums.masked_fill((left < width).unsqueeze(1), torch.finfo(sums.dtype).min)
        found.append(torch.segment_reduce(sums, "max", lengths=lengths, axis=0) + conv.bias)
    return found
