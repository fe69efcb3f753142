"""
One label per candidate span. Supports flat, nested, crossing and discontinuous entities, and several types per span.

A discontinuous entity that is itself a candidate gets one label. If candidates have no gaps, its fragments are labelled
as parts, and `links` contains the pairs of adjacent parts.
"""

import itertools
from collections import defaultdict

import numpy as np
import torch
from allennlp.data.fields import Field, FlagField, TensorField
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.candidates import Candidates, Contiguous
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.span_arrays import PADDING, Places
from ner_zoo.data.span_labels import PART, check_type, join_types
from ner_zoo.data.tag_schemes import OUTSIDE
from ner_zoo.data.views.labels_field import LabelsField
from ner_zoo.data.views.view import View

Links = list[tuple[int, int]]


@View.register("spans")
class Spans(View):
    """
    candidates : selects the spans that may be entities.
    namespace : vocabulary namespace of the labels; `O` is the label of a span that is not an entity.
    """

    def __init__(self, candidates: Candidates | None = None, namespace: str = "labels") -> None:
        self.candidates = candidates or Contiguous()
        self.spans_are_given = self.candidates.are_given
        self.namespace = namespace

    @overrides
    def inputs(self, sentence: Sentence) -> dict[str, Field]:
        spans = torch.from_numpy(self.candidates.spans(sentence))  # (spans, fragments, 2)
        fields: dict[str, Field] = {"spans": TensorField(spans, padding_value=PADDING)}
        if self.spans_are_given:
            fields["spans_are_given"] = FlagField(True)
        return fields

    @overrides
    def labels(self, sentence: Sentence, left_out: Repairs) -> dict[str, Field]:
        spans = self.candidates.spans(sentence)
        types, links = self.placed(sentence, left_out)
        labels: dict[tuple[int, ...], str | None] = {(place,): None for place in _unknown(sentence, spans)}
        labels.update({(place,): join_types(some) for place, some in types.items()})
        pairs = torch.tensor(links, dtype=torch.long).reshape(-1, 2)
        return {
            "labels": LabelsField((len(spans),), labels, OUTSIDE, self.namespace),
            "links": TensorField(pairs, padding_value=PADDING),
        }

    def placed(self, sentence: Sentence, left_out: Repairs) -> tuple[dict[int, set[str]], Links]:
        """The types of each labelled span, and the pairs of spans that are adjacent in one entity."""
        types: defaultdict[int, set[str]] = defaultdict(set)
        links: Links = []
        places = self.candidates.places(sentence) if sentence.entities else {}
        for entity in sentence.entities:
            where = _fragment_places(entity, places)
            type = check_type(entity.type, sentence.source)
            if entity.fragments in places:
                types[places[entity.fragments]].add(type)
            elif where is None:
                left_out.add("entity that is not a candidate span (too wide?)", sentence.source)
            else:
                for place in where:
                    types[place].add(type + PART)
                links += itertools.pairwise(where)
        return types, sorted(set(links))


def _fragment_places(entity: Entity, places: Places) -> list[int] | None:
    """The index of each fragment among the candidates, if all of them are candidates."""
    found = [places.get((fragment,)) for fragment in entity.fragments]
    return [place for place in found if place is not None] if entity.is_discontinuous and None not in found else None


def _unknown(sentence: Sentence, spans: np.ndarray) -> list[int]:
    """The indices of spans that include a token without annotation."""
    if not sentence.unknown:
        return []
    unknown = np.zeros(len(sentence.tokens) + 1, dtype=np.int64)
    unknown[np.array(sentence.unknown) + 1] = 1
    before = unknown.cumsum()
    # The padding [-1, -1) contains nothing.
    return (before[spans[..., 1]] > before[spans[..., 0]]).any(axis=1).nonzero()[0].tolist()
