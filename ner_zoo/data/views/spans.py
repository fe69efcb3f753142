"""
One label per candidate span. Holds nested and crossing entities; not discontinuous ones, nor two types on one span.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import torch
from allennlp.data.fields import Field, TensorField
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.candidates import Candidates, Contiguous
from ner_zoo.data.corpora.corpus import Repairs
from ner_zoo.data.tag_schemes import OUTSIDE
from ner_zoo.data.views.labels_field import LabelsField
from ner_zoo.data.views.view import View


@View.register("spans")
class Spans(View):
    """
    candidates : which spans may be entities.
    namespace : where the vocabulary keeps the types; `O` is the label of a span that is none.
    """

    def __init__(self, candidates: Optional[Candidates] = None, namespace: str = "labels") -> None:
        self.candidates = candidates or Contiguous()
        self.namespace = namespace

    @overrides
    def inputs(self, sentence: Sentence) -> Dict[str, Field]:
        spans = torch.from_numpy(self.candidates.spans(sentence))  # (spans, 2)
        # Padding is the span [-1, -1), which no sentence has.
        return {"spans": TensorField(spans, padding_value=-1)}

    @overrides
    def labels(self, sentence: Sentence, left_out: Repairs) -> Dict[str, Field]:
        spans = self.candidates.spans(sentence)
        number = {(start, end): i for i, (start, end) in enumerate(spans.tolist())} if sentence.entities else {}
        labels: Dict[Tuple[int, ...], Optional[str]] = {}
        if sentence.unknown:
            unknown = torch.zeros(len(sentence.tokens) + 1, dtype=torch.long)
            unknown[torch.tensor(sentence.unknown) + 1] = 1
            before = unknown.cumsum(0).numpy()
            touched = (before[spans[:, 1]] > before[spans[:, 0]]).nonzero()[0]
            labels.update({(i,): None for i in touched.tolist()})
        named: Dict[int, str] = {}
        for entity in sentence.entities:
            place = number.get((entity.start, entity.end))
            if entity.is_discontinuous:
                left_out.add("discontinuous entity not among the spans", sentence.source)
            elif place is None:
                left_out.add("entity that is no candidate span (too wide?)", sentence.source)
            elif place in named:
                left_out.add("second type of one span not among the labels", sentence.source)
            else:
                named[place] = entity.type
                labels[(place,)] = entity.type
        return {"labels": LabelsField((len(spans),), labels, OUTSIDE, self.namespace)}


def entities_from_spans(spans: Sequence[Sequence[int]], labels: Sequence[str]) -> List[Entity]:
    """The entities of one sentence's labelled spans."""
    return [Entity.of(label, span[0], span[1]) for span, label in zip(spans, labels) if label != OUTSIDE]
