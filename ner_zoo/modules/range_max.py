"""
Argmax over many ranges of rows, using a table of maxima over 1, 2, 4, 8, ... rows.

A range is covered by two, possibly overlapping, entries, so the cost does not depend on its length. The table is built
without gradients: gradients flow through the selected rows.
"""

import torch
from torch import LongTensor, Tensor


def range_argmax(values: Tensor, first: LongTensor, last: LongTensor) -> LongTensor:
    """
    From `(rows, dim)` and half-open ranges `(ranges,)`, the row of each maximum: `(ranges, dim)`. If first >= last, the
    row `first`.
    """
    with torch.no_grad():
        lengths = (last - first).clamp(min=1)
        # floor(log2) without the rounding of a logarithm
        level = torch.frexp(lengths.double())[1].long() - 1
        rows = torch.arange(len(values), device=values.device).unsqueeze(1).expand(values.shape)
        values = values.detach()
        levels = [(values, rows)]
        for i in range(int(level.max()) if len(level) else 0):
            levels.append(_doubled(*levels[-1], 2**i))
        table, places = (torch.cat(part) for part in zip(*levels))
        begin = level * len(values) + first
        end = begin + lengths - 2**level
        is_first = table.index_select(0, begin) >= table.index_select(0, end)
        return torch.where(is_first, places.index_select(0, begin), places.index_select(0, end))


def _doubled(values: Tensor, rows: LongTensor, step: int) -> tuple:
    """The maxima over twice as many rows, and their positions."""
    if step >= len(values):
        return values, rows
    is_first = values[:-step] >= values[step:]
    larger = torch.maximum(values[:-step], values[step:])
    where = torch.where(is_first, rows[:-step], rows[step:])
    return torch.cat([larger, values[-step:]]), torch.cat([where, rows[-step:]])
