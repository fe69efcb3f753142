"""
Convolution over letters with max-pooling, without matrix products per word.

The value of a window is a sum over its letters, and the alphabet is small: the contribution of each letter at each
position of each window is a row of a table, computed by one small matrix product for the whole batch. A word then only
needs additions, and its gradient goes only to the rows of the best window of each filter.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numba import njit
from numpy import ndarray
from torch import LongTensor, Tensor


def best_windows(table: Tensor, words: LongTensor, widths: Sequence[int]) -> tuple[Tensor, LongTensor]:
    """
    table : `(letters, positions * filters)`, the contribution of each letter: at all positions of the windows of the
        first width, then of the second, and so on; see `kernels`.
    words : `(words, length)`, letter ids, left-aligned, 0 after the end of a word.
    widths : of the windows, in letters. All have the same number of filters.

    The maximum window sum in each word and the start of that window, both `(words, widths * filters)`: 0 and -1 for a
    word shorter than the window.
    """
    return _BestWindows.apply(table, words, np.array(widths))


class _BestWindows(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, words: LongTensor, widths: ndarray) -> tuple[Tensor, Tensor]:
        values, begins = find_best(table.contiguous().numpy(), words.contiguous().numpy(), widths)
        where = torch.from_numpy(begins)
        ctx.mark_non_differentiable(where)
        ctx.save_for_backward(table, words, where)
        ctx.widths = widths
        return torch.from_numpy(values), where

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, None, None]:
        table, words, where = ctx.saved_tensors
        if torch.is_grad_enabled():
            sums = sums_at(table, words, where, ctx.widths.tolist())
            return torch.autograd.grad(sums, table, gradient, create_graph=True)[0], None, None
        found = table.new_zeros(table.shape)
        arrays = gradient.contiguous().numpy(), words.contiguous().numpy(), ctx.widths, where.numpy()
        scatter(*arrays, found.numpy())
        return found, None, None


def sums_at(table: Tensor, words: LongTensor, where: LongTensor, widths: Sequence[int]) -> Tensor:
    """The sums of given windows `(words, widths * filters)` with torch operations, 0 where there is none."""
    places = iter(table.unflatten(1, (sum(widths), -1)).unbind(1))
    totals = []
    for width, begins in zip(widths, where.chunk(len(widths), 1)):
        total = torch.zeros_like(begins, dtype=table.dtype)
        for place in range(width):
            letters = words.gather(1, (begins + place).clamp(0, words.shape[1] - 1))
            total = total + next(places)[letters, torch.arange(begins.shape[1])]
        totals.append(total.masked_fill(begins < 0, 0.0))
    return torch.cat(totals, 1)


@njit(cache=True, error_model="numpy")
def find_best(table: ndarray, words: ndarray, widths: ndarray) -> tuple[ndarray, ndarray]:
    """The maximum sums and the starts of their windows, -1 for none."""
    filters = table.shape[1] // widths.sum()
    values = np.zeros((words.shape[0], widths.shape[0] * filters), dtype=table.dtype)
    where = np.empty(values.shape, dtype=np.int64)
    total = np.empty(filters, dtype=table.dtype)
    for word in range(words.shape[0]):
        letters = words[word]
        length = 0
        while length < letters.shape[0] and letters[length] != 0:
            length += 1
        column = 0
        for number in range(widths.shape[0]):
            best = values[word, number * filters : (number + 1) * filters]
            begin = where[word, number * filters : (number + 1) * filters]
            begin[:] = -1
            for first in range(length - widths[number] + 1):
                total[:] = table[letters[first], column : column + filters]
                for place in range(1, widths[number]):
                    at = column + place * filters
                    row = table[letters[first + place], at : at + filters]
                    for f in range(filters):
                        total[f] += row[f]
                for f in range(filters):
                    is_better = first == 0 or total[f] > best[f]
                    best[f] = total[f] if is_better else best[f]
                    begin[f] = first if is_better else begin[f]
            column += widths[number] * filters
    return values, where


@njit(cache=True, error_model="numpy")
def scatter(gradient: ndarray, words: ndarray, widths: ndarray, where: ndarray, found: ndarray) -> None:
    """Adds the gradient of each best window to its rows of the table."""
    filters = found.shape[1] // widths.sum()
    for word in range(words.shape[0]):
        column = 0
        for number in range(widths.shape[0]):
            for f in range(filters):
                first = where[word, number * filters + f]
                if first >= 0:
                    value = gradient[word, number * filters + f]
                    for place in range(widths[number]):
                        found[words[word, first + place], column + place * filters + f] += value
            column += widths[number] * filters
