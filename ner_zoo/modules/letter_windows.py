"""
Convolution over letters with max-pooling, without matrix products per word.

The value of a window is a sum over its letters, and the alphabet is small: the contribution of each letter at each
position of the window is a row of a table `(width, letters, filters)`, computed by one small matrix product for the
whole batch. A word then only needs additions, and its gradient goes only to the rows of the best window of each filter.
"""

from typing import Any

import numpy as np
import torch
from numba import njit
from numpy import ndarray
from torch import LongTensor, Tensor


def best_windows(table: Tensor, words: LongTensor) -> Tensor:
    """
    table : `(width, letters, filters)`
    words : `(words, length)`, letter ids, left-aligned, 0 after the end of a word.

    The maximum window sum in each word: `(words, filters)`, 0 for a word shorter than the window.
    """
    return _BestWindows.apply(table, words)


class _BestWindows(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, words: LongTensor) -> Tensor:
        values, where = _find(table.contiguous().numpy(), words.contiguous().numpy())
        ctx.save_for_backward(table, words, torch.from_numpy(where))
        return torch.from_numpy(values)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, None]:
        table, words, where = ctx.saved_tensors
        if torch.is_grad_enabled():
            return torch.autograd.grad(_sums_at(table, words, where), table, gradient, create_graph=True)[0], None
        found = table.new_zeros(table.shape)
        _scatter(gradient.contiguous().numpy(), words.contiguous().numpy(), where.numpy(), found.numpy())
        return found, None


def _sums_at(table: Tensor, words: LongTensor, where: LongTensor) -> Tensor:
    """The sums of given windows `(words, filters)` with torch operations, 0 where there is none."""
    filters = torch.arange(table.shape[2])
    total = torch.zeros_like(where, dtype=table.dtype)
    for place in range(table.shape[0]):
        letters = words.gather(1, (where + place).clamp(0, words.shape[1] - 1))
        total = total + table[place][letters, filters]
    return total.masked_fill(where < 0, 0.0)


@njit(cache=True, error_model="numpy")
def _find(table: ndarray, words: ndarray) -> tuple[ndarray, ndarray]:
    """The maximum sums and the starts of their windows, -1 for none."""
    width, _, filters = table.shape
    values = np.zeros((words.shape[0], filters), dtype=table.dtype)
    where = np.empty((words.shape[0], filters), dtype=np.int64)
    total = np.empty(filters, dtype=table.dtype)
    for word in range(words.shape[0]):
        best, begin = values[word], where[word]
        for f in range(filters):
            begin[f] = -1
        length = 0
        while length < words.shape[1] and words[word, length] != 0:
            length += 1
        for first in range(length - width + 1):
            row = table[0, words[word, first]]
            for f in range(filters):
                total[f] = row[f]
            for place in range(1, width):
                row = table[place, words[word, first + place]]
                for f in range(filters):
                    total[f] += row[f]
            for f in range(filters):
                is_better = first == 0 or total[f] > best[f]
                best[f] = total[f] if is_better else best[f]
                begin[f] = first if is_better else begin[f]
    return values, where


@njit(cache=True, error_model="numpy")
def _scatter(gradient: ndarray, words: ndarray, where: ndarray, found: ndarray) -> None:
    """Adds the gradient of each best window to its rows of the table."""
    for word in range(words.shape[0]):
        for f in range(gradient.shape[1]):
            first = where[word, f]
            if first >= 0:
                for place in range(found.shape[0]):
                    found[place, words[word, first + place], f] += gradient[word, f]
