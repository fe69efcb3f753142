"""
Which spans of a sentence may be entities.
"""

from typing import List, Tuple

import numpy as np
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence


class Candidates(Registrable):
    """One subclass per rule; each lists the half-open spans of a sentence as an array `(spans, 2)`."""

    default_implementation = "contiguous"

    def spans(self, sentence: Sentence) -> np.ndarray:
        raise NotImplementedError


@Candidates.register("contiguous")
class Contiguous(Candidates):
    """Every span of at most `max_width` tokens, by start and then by width."""

    def __init__(self, max_width: int = 10) -> None:
        if max_width < 1:
            raise ConfigurationError(f"max_width is {max_width}, but a span has at least one token. Give 1 or more.")
        self.max_width = max_width

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        length = len(sentence.tokens)
        starts = np.repeat(np.arange(length), self.max_width)
        ends = starts + np.tile(np.arange(1, self.max_width + 1), length)
        return np.stack([starts, ends], axis=1)[ends <= length]


@Candidates.register("gold")
class Gold(Candidates):
    """The hulls of the gold entities and nothing else: for typing spans that are given."""

    @overrides
    def spans(self, sentence: Sentence) -> np.ndarray:
        hulls: List[Tuple[int, int]] = sorted({(e.start, e.end) for e in sentence.entities})
        return np.array(hulls, dtype=np.int64).reshape(-1, 2)
