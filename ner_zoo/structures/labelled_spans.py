"""
Independent labels of spans, which are many to a token: a structure that also knows how long the sentences are.
"""

from typing import Optional

from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.independent import Independent


class LabelledSpans(Independent):
    """
    scores, mask, background, allowed : as for `Independent`, with spans as positions.
    lengths : `(batch,)`, the tokens of each sentence.
    """

    def __init__(
        self,
        scores: Tensor,
        mask: BoolTensor,
        lengths: LongTensor,
        background: int = -1,
        allowed: Optional[BoolTensor] = None,
    ) -> None:
        super().__init__(scores, mask, background, allowed)
        self.lengths = lengths

    @overrides
    def plus(self, scores: Tensor) -> "LabelledSpans":
        return LabelledSpans(self.scores + scores, self.mask, self.lengths, self.background, self.allowed)

    @overrides
    def restrict(self, allowed: BoolTensor) -> "LabelledSpans":
        both = allowed if self.allowed is None else allowed & self.allowed
        return LabelledSpans(self.scores, self.mask, self.lengths, self.background, both)

    @overrides
    def divided(self, divisor: float) -> "LabelledSpans":
        return LabelledSpans(self.scores / divisor, self.mask, self.lengths, self.background, self.allowed)
