"""
LSTM-minus: what a bidirectional LSTM has read in a stretch of the sentence, as the difference of its states at the
borders.

    left  of position i, words 0 .. i-1:        h>_i-1  (h<_0 - h<_i)
    right of position j, words j .. |s|-1:      (h>_|s|-1 - h>_j-1)  h<_j

h> are the states of the forward half of the vectors, h< of the backward half; beyond the sentence they are 0, and so
is the feature of an empty stretch. Vectors that are not from an LSTM are cut into halves just the same.
"""

import torch
from torch import LongTensor, Tensor


def _at(states: Tensor, place: LongTensor, is_inside: Tensor) -> Tensor:
    """The states at the places, 0 where a place is beyond the sentence."""
    return states.index_select(0, place.clamp(0, len(states) - 1)).masked_fill(~is_inside.unsqueeze(1), 0.0)


def left_context(vectors: Tensor, place: LongTensor, begin: LongTensor) -> Tensor:
    """
    vectors : `(words, dim)`, of all sentences one after the other.
    place : `(places,)`, the words whose left context is wanted.
    begin : `(places,)`, the first words of their sentences.

    Returns `(places, dim)`.
    """
    forward, backward = vectors.tensor_split(2, 1)
    read = backward.index_select(0, begin) - backward.index_select(0, place)
    return torch.cat([_at(forward, place - 1, place > begin), read], 1)


def right_context(vectors: Tensor, place: LongTensor, end: LongTensor) -> Tensor:
    """As `left_context`, of the words from `place` to before `end`, where the next sentence begins."""
    forward, backward = vectors.tensor_split(2, 1)
    read = forward.index_select(0, end - 1) - forward.index_select(0, place - 1)
    return torch.cat([read, _at(backward, place, place < end)], 1)
