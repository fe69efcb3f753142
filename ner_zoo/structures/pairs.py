"""
All pairs of the chunks of many labellings, computed on tensors without a loop.

The pairs of a row of labels are (0, 1), (0, 2), ..., (1, 2), ...: one for each unordered pair, in text order.
"""

from typing import NamedTuple

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks, borders


class Pairs(NamedTuple):
    """Each `(pairs,)`: the indices of the two chunks."""

    first: LongTensor
    second: LongTensor


def partners(chunks: Chunks, rows: int) -> LongTensor:
    """The number of chunks that follow each one in its row: `(chunks,)`."""
    per_row = torch.bincount(chunks.sentence, minlength=rows)
    end_of_row = per_row.cumsum(0)[chunks.sentence]
    return end_of_row - 1 - torch.arange(len(chunks.sentence), device=chunks.sentence.device)


def pairs_of(chunks: Chunks, rows: int) -> Pairs:
    following = partners(chunks, rows)
    first = torch.repeat_interleave(following)
    place = torch.arange(len(first), device=first.device) - (following.cumsum(0) - following)[first]
    return Pairs(first, first + 1 + place)


def first_occurrence(
    labels: LongTensor, mask: BoolTensor, rules: ChunkRules, chunks: Chunks, pairs: Pairs
) -> LongTensor:
    """
    For each pair of the chunks of `(n, batch, positions)`, the index of the pair with the same chunks and the same
    labels from the first to the second in the earliest labelling of the sentence that has it: `(pairs,)`.
    """
    n, batch, positions = labels.shape
    begins, ends = borders(labels.flatten(0, 1), mask.repeat(n, 1), rules)
    # Label and boundaries of a position as one number; if these are equal from start to end, so are the chunks.
    looks = (4 * labels.flatten(0, 1) + 2 * begins + ends).view(n, batch, positions)
    differences = (looks.unsqueeze(0) != looks.unsqueeze(1)).cumsum(3, dtype=torch.int32)  # (n, n, batch, positions)
    before = torch.cat([differences.new_zeros(n, n, batch, 1), differences], 3)
    row = chunks.sentence[pairs.first]
    tagging, sentence = row.div(batch, rounding_mode="floor"), row % batch
    start, end = chunks.first[pairs.first], chunks.last[pairs.second]
    is_equal = before[:, tagging, sentence, end] == before[:, tagging, sentence, start]  # (n, pairs)
    earliest = is_equal.long().argmax(0) * batch + sentence
    number = begins.flatten().long().cumsum(0).view(n * batch, positions) - 1  # of the chunk that starts here
    first, second = number[earliest, start], number[earliest, chunks.first[pairs.second]]
    following = partners(chunks, n * batch)
    return (following.cumsum(0) - following)[first] + second - first - 1


def totals(values: Tensor, row: LongTensor, rows: int) -> Tensor:
    """The sum of the values of each row: `(rows,)`."""
    return values.new_zeros(rows).index_add(0, row, values)
