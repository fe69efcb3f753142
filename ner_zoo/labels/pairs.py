"""
Labels of tokens, and of all pairs of the resulting entities: entities with relations between them.

The score of a relation is its probability given the tagging times the marginals of its two entities, P_rel * p(e1) *
p(e2): each factor is exact, but the product ignores the dependence between the two entities. If the entities are given,
it is P_rel alone.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch
from overrides import overrides
from torch import Tensor

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.pair_labels import NONE, relation_of
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.data.tag_schemes import tags_from_entities, unholdable_entity
from ner_zoo.labels.labels import Labels, Pair, TypeProbabilities
from ner_zoo.labels.prediction import Prediction, Scored, Tagging
from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures.chunks import ChunkRules
from ner_zoo.structures.joint import Joint, Relations


class PairLabels(Labels[Joint]):
    """
    tags : the labels of tokens.
    pair_names : the labels of pairs, by index; the name includes the direction.
    """

    has_relations = has_taggings = True

    def __init__(self, tags: TagLabels, pair_names: Sequence[str]) -> None:
        self.tags = tags
        self.names = tags.names
        self.pair_names = tuple(pair_names)
        self.none = self.pair_names.index(NONE)

    @property
    def types(self) -> Sequence[str]:
        return self.tags.types

    @property
    def rules(self) -> ChunkRules:
        return self.tags.rules

    @overrides
    def read(self, structure: Joint, with_marginals: bool = True) -> list[Prediction]:
        labels, relations = structure.best()
        entities = self.tags.entities(structure.entities, relations.chunks, len(labels), with_marginals)
        return [Prediction(*columns) for columns in zip(entities, self.relations(relations, entities))]

    @overrides
    def read_given(self, structure: Joint, given: Sequence[Sequence[Entity] | None]) -> list[Prediction]:
        tags = structure.entities.best().clone()
        for row, entities in enumerate(given):
            if entities is not None:
                names = tags_from_entities(entities, tags.shape[1], self.tags.scheme)
                tags[row] = torch.tensor([self.names.index(name) for name in names], device=tags.device)
        relations = structure.given(tags.unsqueeze(0))
        found = self.tags.entities(structure.entities, relations.chunks, len(tags))
        for row, entities in enumerate(given):
            if entities is not None:
                found[row] = [(entity, 1.0) for entity, _ in found[row]]
        return [Prediction(*columns) for columns in zip(found, self.relations(relations, found))]

    @overrides
    def first_unholdable(self, entities: Sequence[Entity], length: int) -> Entity | None:
        """An entity that needs an unknown tag, or that would merge with its neighbour (scheme IO)."""
        return unholdable_entity(entities, length, self.tags.scheme, self.names)

    def relations(
        self, relations: Relations, entities: Sequence[Sequence[Scored]]
    ) -> list[list[tuple[Relation, float]]]:
        """The best relations of each row of `relations`, between the entities of its chunks."""
        labels = relations.best()
        related = (labels != self.none).nonzero().squeeze(1)
        labels = labels[related]
        probabilities = relations.probabilities()[related, labels]
        columns = relations.row[related], relations.pairs.first[related], relations.pairs.second[related]
        numbered = [scored for row in entities for scored in row]  # chunks are sorted by row
        found: list[list[tuple[Relation, float]]] = [[] for _ in entities]
        for row, i, j, label, score in zip(*(column.tolist() for column in (*columns, labels, probabilities))):
            (first, p_first), (second, p_second) = numbered[i], numbered[j]
            found[row].append((relation_of(self.pair_names[label], first, second), score * p_first * p_second))
        return found

    @overrides
    def taggings(self, structure: Joint, k: int) -> list[list[Tagging]]:
        return self.tags.taggings(structure.entities, k)

    @overrides
    def span_probabilities(self, structure: Joint, spans: Sequence[Collection[Fragments]]) -> TypeProbabilities:
        return self.tags.span_probabilities(structure.entities, spans)

    @overrides
    def type_marginals(self, structure: Joint) -> Tensor:
        return self.tags.type_marginals(structure.entities)

    @overrides
    def expected_entities(self, structure: Joint) -> Tensor:
        return self.tags.expected_entities(structure.entities)

    @overrides
    def likely(self, structure: Joint, least: float) -> list[list[Scored]]:
        return self.tags.likely(structure.entities, least)

    @overrides
    def nothing(self, structure: Joint, spans: Sequence[Collection[Fragments]]) -> list[dict[Fragments, float]]:
        return self.tags.nothing(structure.entities, spans)

    @overrides
    def pair_probabilities(self, structure: Joint, gold: Any) -> list[dict[Pair, np.ndarray]]:
        relations = structure.given_gold(gold)
        rows = self.tags.entities(structure.entities, relations.chunks, relations.rows, with_marginals=False)
        entities = [entity for row in rows for entity, _ in row]  # chunks are sorted by row
        found: list[dict[Pair, np.ndarray]] = [{} for _ in rows]
        columns = (column.tolist() for column in (relations.row, relations.pairs.first, relations.pairs.second))
        probabilities = relations.probabilities().detach().double().cpu().numpy()
        for row, first, second, of_labels in zip(*columns, probabilities):
            found[row][entities[first], entities[second]] = of_labels
        return found

    @overrides
    def out_of_reach(self, sentence: Sentence, reached: Collection[Fragments]) -> set[Entity]:
        return self.tags.out_of_reach(sentence, reached)
