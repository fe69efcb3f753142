"""
Arrays of candidate spans: `(spans, fragments, 2)` with half-open fragments; spans with fewer fragments are padded with
`[-1, -1)`.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ner_zoo.annotation import Span

Fragments = tuple[Span, ...]
# The index of a span in the array.
Places = dict[Fragments, int]

PADDING = -1


def span_array(spans: Sequence[Fragments]) -> np.ndarray:
    """`(spans, fragments, 2)`"""
    fragments = max(map(len, spans), default=1)
    filled = [[*span, *[(PADDING, PADDING)] * (fragments - len(span))] for span in spans]
    return np.array(filled, dtype=np.int64).reshape(-1, fragments, 2)


def places_of(spans: np.ndarray) -> Places:
    return {fragments_of(span): place for place, span in enumerate(spans.tolist())}


def fragments_of(span: Sequence[Sequence[int]]) -> Fragments:
    """The fragments of one row of a span array, without padding."""
    return tuple((start, end) for start, end in span if start != PADDING)


# Candidates depend only on the length of a sentence: all sentences of that length share one array, which saves memory.
@lru_cache(maxsize=4096)
def contiguous(length: int, max_width: int) -> np.ndarray:
    starts = np.repeat(np.arange(length), max_width)
    ends = starts + np.tile(np.arange(1, max_width + 1), length)
    return np.stack([starts, ends], axis=1)[ends <= length][:, None]


@lru_cache(maxsize=256)
def contiguous_places(length: int, max_width: int) -> Places:
    return places_of(contiguous(length, max_width))


@lru_cache(maxsize=256)
def with_gaps(length: int, max_width: int, max_fragment_width: int, max_gap: int) -> np.ndarray:
    whole = contiguous(length, max_width)
    first, gap, second = np.meshgrid(
        np.arange(1, max_fragment_width + 1), np.arange(1, max_gap + 1), np.arange(1, max_fragment_width + 1)
    )
    ends = np.cumsum([first.ravel(), gap.ravel(), second.ravel()], axis=0)
    shape = np.stack([np.zeros_like(ends[0]), *ends], axis=1).reshape(-1, 2, 2)
    split = (np.arange(length)[:, None, None, None] + shape).reshape(-1, 2, 2)
    split = split[split[:, 1, 1] <= length]
    filled = np.concatenate([whole, np.full_like(whole, PADDING)], axis=1)
    return np.concatenate([filled, split])
