"""
Selects the spans of a sentence that may be entities.

A span is one or more fragments, in order. Spans are stored in an array `(spans, fragments, 2)` with half-open
fragments; spans with fewer fragments are padded with `[-1, -1)`.
"""

import numpy as np
from allennlp.common import Registrable
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.span_arrays import Places, contiguous, contiguous_places, places_of, span_array, with_gaps
from ner_zoo.platform.configuration_error import ConfigurationError


class Candidates(Registrable):
    """Base class of candidate selectors: one subclass per rule."""

    default_implementation = "contiguous"

    # Whether the spans come from the annotation, so that only their types have to be predicted.
    are_given = False

    def spans(self, sentence: Sentence) -> np.ndarray:
        """`(spans, fragments, 2)`; read-only, because sentences may share the array."""
        raise NotImplementedError

    def places(self, sentence: Sentence) -> Places:
        """The index of each span in the array."""
        return places_of(self.spans(sentence))


@Candidates.register("contiguous")
class Contiguous(Candidates):
    """
    All contiguous spans of at most `max_width` tokens, sorted by start and width.

    max_width : maximum width of a span in tokens.
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
    All contiguous spans, plus all pairs of fragments with a gap between them.

    max_width : maximum width in tokens of a span without a gap.
    max_fragment_width : maximum width in tokens of each fragment of a span with a gap.
    max_gap : maximum number of tokens between the fragments. At most `max_fragment_width² · max_gap` such spans start
        at each token.
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
    """Only the annotated entities, including discontinuous ones: for typing spans that are given."""

    are_given = True

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        return span_array(sorted({entity.fragments for entity in sentence.entities}))


def at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ConfigurationError(f"{name} is {value}, but must be a number of tokens. Set it to 1 or more.")
    return value
