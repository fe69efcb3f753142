"""
Any AllenNLP span extractor as a span representation: `endpoint`, `self_attentive`, `max_pooling`, ...

These support contiguous spans: for a discontinuous one they see the hull.
"""

from allennlp.common import Lazy
from allennlp.modules.span_extractors import SpanExtractor
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.modules.span_representation import SpanRepresentation
from ner_zoo.structures.labelled_spans import hull


@SpanRepresentation.register("span_extractor")
class Extracted(SpanRepresentation):
    """extractor : its config, without `input_dim`."""

    def __init__(self, input_dim: int, extractor: Lazy[SpanExtractor]) -> None:
        super().__init__()
        self.extractor = extractor.construct(input_dim=input_dim)

    @overrides
    def get_output_dim(self) -> int:
        return self.extractor.get_output_dim()

    @overrides
    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        first, end = hull(spans).unbind(2)
        inclusive = spans.new_zeros(*first.shape, 2)
        inclusive[..., 0], inclusive[..., 1] = first.clamp(min=0), (end - 1).clamp(min=0)
        return self.extractor(tokens, inclusive)
