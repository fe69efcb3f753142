"""
Which spans of a sentence may be entities.

A span is one or more fragments, in order. An array of spans is `(spans, fragments, 2)` with half-open fragments; a span
of fewer fragments than others is filled up with `[-1, -1)`.
"""

import numpy as np
from allennlp.common import Registrable
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.span_arrays import Places, contiguous, contiguous_places, places_of, span_array, with_gaps
from ner_zoo.platform.configuration_error import ConfigurationError


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
        return contiguous(len(sentence.tokens), self.max_width)

    @overrides
    def places(self, sentence: Sentence) -> Places:
        return contiguous_places(len(sentence.tokens), self.max_width)


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
        return with_gaps(len(sentence.tokens), self.max_width, self.max_fragment_width, self.max_gap)


@Candidates.register("gold")
class Gold(Candidates):
    """The annotated entities, with their gaps, and nothing else: for typing spans that are given."""

    are_given = True

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        return span_array(sorted({entity.fragments for entity in sentence.entities}))


def at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ConfigurationError(f"{name} is {value}, but it counts tokens. Give 1 or more.")
    return value
