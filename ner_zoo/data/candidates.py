"""
Which spans of a sentence may be entities.

A span is one or more fragments, in order. An array of spans is `(spans, fragments, 2)` with half-open fragments; a span
of fewer fragments than others is filled up with `[-1, -1)`.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence, Span

Fragments = tuple[Span, ...]
# A span's place in the array.
Places = dict[Fragments, int]

PADDING = -1


class Candidates(Registrable):
    """One subclass per rule."""

    default_implementation = "contiguous"

    # Whether the spans are taken from the annotation, so that nothing is left to find but their types.
    are_given = False

    def spans(self, sentence: Sentence) -> np.ndarray:
        """`(spans, fragments, 2)`; not to be written to, for sentences may share it."""
        raise NotImplementedError

    def places(self, sentence: Sentence) -> Places:
        """Where each span is in the array."""
        return places_of(self.spans(sentence))


@Candidates.register("contiguous")
class Contiguous(Candidates):
    """
    Every span of at most `max_width` tokens, by start and then by width: at most `max_width` for each token.

    max_width : in tokens.
    """

    def __init__(self, max_width: int = 10) -> None:
        self.max_width = at_least_one("max_width", max_width)

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        return _contiguous(len(sentence.tokens), self.max_width)

    @overrides
    def places(self, sentence: Sentence) -> Places:
        return _contiguous_places(len(sentence.tokens), self.max_width)


@Candidates.register("gaps")
class Gaps(Candidates):
    """
    The contiguous spans, and every pair of fragments with a gap between them.

    max_width : tokens of a span without a gap.
    max_fragment_width : tokens of each of the two fragments of a span with one.
    max_gap : tokens between the fragments. A token begins at most `max_fragment_width² · max_gap` such spans.
    """

    def __init__(self, max_width: int = 10, max_fragment_width: int = 3, max_gap: int = 4) -> None:
        self.max_width = at_least_one("max_width", max_width)
        self.max_fragment_width = at_least_one("max_fragment_width", max_fragment_width)
        self.max_gap = at_least_one("max_gap", max_gap)

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        return _with_gaps(len(sentence.tokens), self.max_width, self.max_fragment_width, self.max_gap)


@Candidates.register("gold")
class Gold(Candidates):
    """The annotated entities, with their gaps, and nothing else: for typing spans that are given."""

    are_given = True

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        return span_array(sorted({entity.fragments for entity in sentence.entities}))


def span_array(spans: Sequence[Fragments]) -> np.ndarray:
    """`(spans, fragments, 2)`"""
    fragments = max(map(len, spans), default=1)
    filled = [[*span, *[(PADDING, PADDING)] * (fragments - len(span))] for span in spans]
    return np.array(filled, dtype=np.int64).reshape(-1, fragments, 2)


def places_of(spans: np.ndarray) -> Places:
    return {fragments_of(span): place for place, span in enumerate(spans.tolist())}


def fragments_of(span: Sequence[Sequence[int]]) -> Fragments:
    """The fragments of one row of a span array, without the filling."""
    return tuple((start, end) for start, end in span if start != PADDING)


def at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ConfigurationError(f"{name} is {value}, but it counts tokens. Give 1 or more.")
    return value


# Candidates depend on the length of a sentence alone: one array serves all sentences of that length, in a corpus too
# large for one each.
@lru_cache(maxsize=4096)
def _contiguous(length: int, max_width: int) -> np.ndarray:
    starts = np.repeat(np.arange(length), max_width)
    ends = starts + np.tile(np.arange(1, max_width + 1), length)
    return np.stack([starts, ends], axis=1)[ends <= length][:, None]


@lru_cache(maxsize=256)
def _contiguous_places(length: int, max_width: int) -> Places:
    return places_of(_contiguous(length, max_width))


@lru_cache(maxsize=256)
def _with_gaps(length: int, max_width: int, max_fragment_width: int, max_gap: int) -> np.ndarray:
    whole = _contiguous(length, max_width)
    first, gap, second = np.meshgrid(
        np.arange(1, max_fragment_width + 1), np.arange(1, max_gap + 1), np.arange(1, max_fragment_width + 1)
    )
    ends = np.cumsum([first.ravel(), gap.ravel(), second.ravel()], axis=0)
    shape = np.stack([np.zeros_like(ends[0]), *ends], axis=1).reshape(-1, 2, 2)
    split = (np.arange(length)[:, None, None, None] + shape).reshape(-1, 2, 2)
    split = split[split[:, 1, 1] <= length]
    filled = np.concatenate([whole, np.full_like(whole, PADDING)], axis=1)
    return np.concatenate([filled, split])
