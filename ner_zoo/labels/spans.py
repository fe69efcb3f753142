"""
Labels of spans: a type, several types, or the type of a fragment of a discontinuous entity.

The probability of an entity is that of its type on its span, summed over all labels that include the type. A
discontinuous entity made of parts has the product of the probabilities of its parts and links.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import torch
from overrides import overrides
from torch import Tensor

from ner_zoo.annotation import Entity
from ner_zoo.data.fragments import Link
from ner_zoo.data.span_arrays import Fragments, fragments_of, places_of
from ner_zoo.data.span_labels import PART, split_label
from ner_zoo.labels.labels import Labels, TypeProbabilities
from ner_zoo.labels.mentions import joined
from ner_zoo.labels.prediction import Prediction, Scored
from ner_zoo.labels.span_decoding import Argmax, SpanDecoder
from ner_zoo.structures.chunks import ChunkRules
from ner_zoo.structures.labelled_spans import LabelledSpans


@dataclass(frozen=True)
class SpanLabels(Labels[LabelledSpans]):
    """
    names : the labels, by index.
    decoder : selects compatible labelled spans, unless spans are given.
    """

    names: tuple[str, ...]
    decoder: SpanDecoder = field(default_factory=Argmax)

    @cached_property
    def types(self) -> list[str]:  # type: ignore[override]
        return sorted({type.removesuffix(PART) for type in self.marked_types})

    @cached_property
    def marked_types(self) -> tuple[str, ...]:
        """The types that labels are made of; the marked types of fragments are separate types."""
        return tuple(sorted({type for label in self.names for type in split_label(label)}))

    @cached_property
    def holds(self) -> np.ndarray:
        """`(labels, marked types)`: whether a label includes a type."""
        return np.array([[type in split_label(label) for type in self.marked_types] for label in self.names], bool)

    @cached_property
    def is_part(self) -> np.ndarray:
        """`(marked types,)`: whether a type is that of a fragment."""
        return np.array([type.endswith(PART) for type in self.marked_types], bool)

    @property
    def has_parts(self) -> bool:
        return bool(self.is_part.any())

    @cached_property
    def rules(self) -> ChunkRules:
        """Every span whose label is not `O` is a chunk, of the kind of its label."""
        kinds = torch.arange(len(self.names))
        kinds = kinds.masked_fill(kinds == self.background, -1)
        starts = (kinds >= 0).repeat(len(kinds) + 1, 1)
        return ChunkRules(starts, torch.zeros(len(kinds), len(kinds), dtype=torch.bool), kinds)

    @overrides
    def read(self, structure: LabelledSpans, with_marginals: bool = True) -> list[Prediction]:
        mentions = (Argmax() if structure.are_given else self.decoder)(structure, self)
        links: list[dict[Link, float]] = [{} for _ in mentions]
        if structure.links is not None:
            columns = structure.links.pairs.tolist(), structure.links.labels.marginals()[..., 1].tolist()
            links = [dict(zip(map(tuple, pairs), probabilities)) for pairs, probabilities in zip(*columns)]
        spans = structure.spans.cpu()
        found = []
        for sentence, some in enumerate(mentions):
            named = {mention.place: fragments_of(spans[sentence, mention.place].tolist()) for mention in some}
            found.append(Prediction(joined(some, named, links[sentence], self.marked_types)))
        return found

    @overrides
    def span_probabilities(self, structure: LabelledSpans, spans: Sequence[Collection[Fragments]]) -> TypeProbabilities:
        """For a discontinuous entity made of parts, an upper bound that ignores the links between them."""
        holds = torch.from_numpy(self.holds).to(structure.scores)
        marked = (structure.marginals() @ holds).detach().double().clamp(0.0, 1.0).cpu().numpy()
        found: TypeProbabilities = [{} for _ in spans]
        for number, some in enumerate(spans):
            places = places_of(structure.spans[number].cpu().numpy()) if some else {}
            for span in some:
                if span in places:
                    found[number][span] = self._by_type(marked[number, places[span]])
                elif len(span) > 1 and self.has_parts and all((part,) in places for part in span):
                    each = [self._by_type(marked[number, places[(part,)]], PART) for part in span]
                    found[number][span] = np.prod(each, axis=0)
        return found

    @overrides
    def type_marginals(self, structure: LabelledSpans) -> Tensor:
        stands_for = [
            [type in (t.removesuffix(PART) for t in split_label(n)) for type in self.types] for n in self.names
        ]
        return structure.marginals() @ torch.tensor(stands_for).to(structure.scores)

    @overrides
    def expected_entities(self, structure: LabelledSpans) -> Tensor:
        """Without entities made of parts, whose number depends on the links."""
        whole_types = torch.from_numpy(self.holds[:, ~self.is_part]).to(structure.scores)
        return (structure.marginals() @ whole_types).sum((1, 2))

    @overrides
    def likely(self, structure: LabelledSpans, least: float) -> list[list[Scored]]:
        """Includes entities made of parts only if they are decoded."""
        whole = torch.from_numpy(self.holds * ~self.is_part).to(structure.scores)
        probability = structure.marginals() @ whole  # (batch, spans, marked types)
        places = (structure.mask.unsqueeze(2) & (probability >= least)).nonzero(as_tuple=True)
        scores = probability[places].tolist()
        sentence, _, type = (column.tolist() for column in places)
        spans = structure.spans[places[0], places[1]].tolist()
        found: list[list[Scored]] = [[] for _ in structure.mask]
        for number, span, kind, score in zip(sentence, spans, type, scores):
            found[number].append((Entity(self.marked_types[kind], fragments_of(span)), score))
        return found

    @overrides
    def nothing(self, structure: LabelledSpans, spans: Sequence[Collection[Fragments]]) -> list[dict[Fragments, float]]:
        """The probability that the span itself has no label; labels around or inside it do not matter."""
        found: list[dict[Fragments, float]] = []
        marginals = structure.marginals().detach().double().cpu().numpy()
        for number, by_type in enumerate(self.span_probabilities(structure, spans)):
            places = places_of(structure.spans[number].cpu().numpy()) if by_type else {}
            # For an entity made of parts, that it has none of its types.
            found.append({span: float(1.0 - row.max(initial=0.0)) for span, row in by_type.items()})
            for span in places.keys() & by_type.keys():
                has_none = self.background >= 0
                found[-1][span] = float(marginals[number, places[span], self.background]) if has_none else 0.0
        return found

    def _by_type(self, row: np.ndarray, mark: str = "") -> np.ndarray:
        """`(types,)` from `(marked types,)`, with this mark; 0 for a type that never has it."""
        column = {type: number for number, type in enumerate(self.marked_types)}
        return np.array([row[column[type + mark]] if type + mark in column else 0.0 for type in self.types])
