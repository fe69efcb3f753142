"""
LSTM-minus: represents a segment of a sentence by the difference of a bidirectional LSTM's states at its boundaries.

    left  of position i, words 0 .. i-1:        h>_i-1  (h<_0 - h<_i)
    right of position j, words j .. |s|-1:      (h>_|s|-1 - h>_j-1)  h<_j

h> are the states in the forward half of the vectors, h< in the backward half; outside the sentence they are 0, as is
the feature of an empty segment. Vectors that are not from an LSTM are split into halves in the same way.
"""

import torch
from torch import LongTensor, Tensor


def _at(states: Tensor, place: LongTensor, is_inside: Tensor) -> Tensor:
    """The states at the positions, 0 outside the sentence."""
    return states.index_select(0, place.clamp(0, len(states) - 1)).masked_fill(~is_inside.unsqueeze(1), 0.0)


def left_context(vectors: Tensor, place: LongTensor, begin: LongTensor) -> Tensor:
    """
    vectors : `(words, dim)`, of all sentences in sequence.
    place : `(places,)`, the words whose left context is requested.
    begin : `(places,)`, the first words of their sentences.

    Returns `(places, dim)`.
    """
    forward, backward = vectors.tensor_split(2, 1)
    read = backward.index_select(0, begin) - backward.index_select(0, place)
    return torch.cat([_at(forward, place - 1, place > begin), read], 1)


def right_context(vectors: Tensor, place: LongTensor, end: LongTensor) -> Tensor:
    """Like `left_context`, for the words from `place` up to `end`, where the next sentence starts."""
    forward, backward = vectors.tensor_split(2, 1)
    read = forward.index_select(0, end - 1) - forward.index_select(0, place - 1)
    return torch.cat([read, _at(backward, place, place < end)], 1)
