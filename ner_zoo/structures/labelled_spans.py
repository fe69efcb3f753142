"""
Independent labels of spans: a structure that also contains the spans, the sentence lengths, and the links between parts
of discontinuous entities.

Spans are `(batch, spans, fragments, 2)`, half-open, padded with `[-1, -1)`.
"""

from typing import NamedTuple

import torch
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.independent import Independent


class Links(NamedTuple):
    """
    Which parts are adjacent in one discontinuous entity.

    pairs : `(batch, pairs, 2)`, the indices of two spans each, in text order; -1 for padding.
    labels : over the pairs, with the labels no and yes.
    """

    pairs: LongTensor
    labels: Independent


class LabelledSpans(Independent):
    """
    scores, mask, background, allowed : as in `Independent`, with spans as positions.
    lengths : `(batch,)`, the number of tokens of each sentence.
    spans : `(batch, spans, fragments, 2)`.
    links : between spans that are parts, if the labels include any.
    are_given : whether the spans are those of the gold entities, so that only their types are predicted.
    """

    def __init__(
        self,
        scores: Tensor,
        mask: BoolTensor,
        lengths: LongTensor,
        spans: LongTensor,
        background: int = -1,
        allowed: BoolTensor | None = None,
        links: Links | None = None,
        are_given: bool = False,
    ) -> None:
        super().__init__(scores, mask, background, allowed)
        self.lengths = lengths
        self.spans = spans
        self.links = links
        self.are_given = are_given

    @overrides
    def divided(self, divisor: float) -> "LabelledSpans":
        divided = super().divided(divisor)
        if self.links is not None:
            divided.links = self.links._replace(labels=self.links.labels.divided(divisor))
        return divided


def hull(spans: LongTensor) -> LongTensor:
    """The hull of each span as a half-open span: `(batch, spans, 2)`."""
    return torch.stack([spans[..., 0, 0], spans[..., 1].amax(2)], dim=2)
