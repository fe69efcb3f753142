"""
Predicts entities and relations without torch: tags like a tagger, then the labels of all pairs of entities.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.pair_labels import relation_of
from ner_zoo.data.tag_schemes import tags_from_entities, unholdable_entity
from ner_zoo.labels.prediction import Prediction, Scored
from ner_zoo.light.chain import Chunks, best, chunks_of
from ner_zoo.light.export_file import Export
from ner_zoo.light.reader import TagReader
from ner_zoo.light.relations import RelationScores, pairs_of
from ner_zoo.light.spans import softmax
from ner_zoo.light.tags import Tags
from ner_zoo.predictors.given_entities import given_in


class JointTags(Tags):
    """names, scheme : of the tags, for given entities."""

    has_relations = True
    names: list[str]
    scheme: str

    @classmethod
    def of(cls, settings: Mapping[str, Any], arrays: Mapping[str, ndarray]) -> Self:
        tags = super().of(settings, arrays)
        tags.names, tags.scheme = settings["labels"]["names"], settings["labels"]["scheme"]
        return tags

    def first_unholdable(self, entities: Sequence[Entity], length: int) -> Entity | None:
        return unholdable_entity(entities, length, self.scheme, self.names)

    def numbers(self, entities: Sequence[Entity], length: int) -> list[int]:
        """The tags of entities."""
        return [self.names.index(name) for name in tags_from_entities(entities, length, self.scheme)]


class JointReader(TagReader):
    """The graph `encoder` returns the scores of tags and the vectors for relations."""

    labels: JointTags

    def __init__(self, export: Export, threads: int = 1) -> None:
        super().__init__(export, threads)
        settings = export.settings["labels"]
        self.labels = JointTags.of(export.settings, export.arrays)
        self.pair_names, self.none = settings["pair_names"], settings["none"]
        weights = {name: array for name, array in export.arrays.items() if name.startswith("relation.")}
        self.score_pairs = RelationScores(weights, settings["widths"], settings["filters"])

    def read(
        self, sentences: Sequence[Sentence], lengths: ndarray, scores: ndarray, encoded: Mapping[str, ndarray]
    ) -> list[Prediction]:
        tags = best(scores, lengths, self.labels.chain)
        given = [given_in(sentence) for sentence in sentences]
        for row, entities in enumerate(given):
            if entities is not None:
                tags[row, : lengths[row]] = self.labels.numbers(entities, int(lengths[row]))
        chunks = chunks_of(tags, lengths, self.labels.rules)
        found = self.labels.entities(scores, lengths, chunks, len(lengths))
        for row, entities in enumerate(given):
            if entities is not None:
                found[row] = [(entity, 1.0) for entity, _ in found[row]]
        relations = self._relations(encoded["encoded"], lengths, tags, chunks, found)
        return [Prediction(*columns) for columns in zip(found, relations)]

    def _relations(
        self, vectors: ndarray, lengths: ndarray, tags: ndarray, chunks: Chunks, entities: Sequence[Sequence[Scored]]
    ) -> list[list[tuple[Relation, float]]]:
        """The best relations of each sentence, with their probability times those of their entities."""
        found: list[list[tuple[Relation, float]]] = [[] for _ in entities]
        pairs = pairs_of(chunks, len(entities))
        if not len(pairs.first):
            return found
        scores = self.score_pairs(vectors, lengths, tags, chunks, pairs) / np.float32(self.labels.temperature)
        labels = scores.argmax(1)
        related = (labels != self.none).nonzero()[0]
        values = softmax(scores[related])[np.arange(len(related)), labels[related]]
        numbered = [scored for row in entities for scored in row]
        columns = chunks.row[pairs.first[related]], pairs.first[related], pairs.second[related], labels[related], values
        for row, i, j, label, value in zip(*(column.tolist() for column in columns)):
            (first, p_first), (second, p_second) = numbered[i], numbered[j]
            relation = relation_of(self.pair_names[label], first, second)
            found[row].append((relation, value * p_first * p_second))
        return found
