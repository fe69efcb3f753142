"""
The maximum over each of many ranges of rows, by a table of maxima over 1, 2, 4, 8, ... rows.

A range is covered by two of these that may overlap, so a range costs the same whatever its length.
"""

import torch
from torch import LongTensor, Tensor


def range_max(values: Tensor, first: LongTensor, last: LongTensor) -> Tensor:
    """
    From `(rows, dim)` and non-empty half-open ranges `(ranges,)`: `(ranges, dim)`. Where first >= last, the row
    `first`.
    """
    lengths = (last - first).clamp(min=1)
    # floor(log2) without the rounding of a logarithm
    level = torch.frexp(lengths.double())[1].long() - 1
    rows, dim = values.shape
    levels = [values]
    for i in range(int(level.max()) if len(level) else 0):
        before, step = levels[-1], 2**i
        levels.append(torch.cat([torch.maximum(before[:-step], before[step:]), before[-step:]]))
    table = torch.cat(levels)
    begin = level * rows + first
    return torch.maximum(table.index_select(0, begin), table.index_select(0, begin + lengths - 2**level))
