"""
What the labels of a structure mean: the way back from scores to entities and relations.

A view turns a `Sentence` into tensors, a head turns vectors into a `Structure`; `Labels` reads predictions and exact
probabilities from the structure. Metrics, predictors and analyses ask the labels of a model, and never what kind of
model it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from torch import Tensor

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.data.tag_schemes import OUTSIDE
from ner_zoo.labels.abilities import Abilities
from ner_zoo.labels.prediction import Prediction, Scored, Tagging

# What is read: a `Structure` of one kind or another, or a `Joint`.
Scores = TypeVar("Scores")

# For each sentence, the spans that are asked about with the probability of each type; without those that these labels
# cannot make an entity of.
TypeProbabilities = list[dict[Fragments, np.ndarray]]
Pair = tuple[Entity, Entity]


class Labels(Abilities, ABC, Generic[Scores]):
    """
    One subclass per meaning of a label.

    names : of the labels, by number.
    pair_names : of the labels of pairs, by number; none if predictions have no relations.
    has_relations, has_taggings : see `Abilities`; with relations there is `read_given`, with taggings `taggings`.
    """

    names: tuple[str, ...]
    pair_names: tuple[str, ...] = ()

    @property
    def background(self) -> int:
        """The number of the label that means "nothing here", or -1."""
        return self.names.index(OUTSIDE) if OUTSIDE in self.names else -1

    @property
    @abstractmethod
    def types(self) -> Sequence[str]:
        """The types of entities that can be found, sorted."""

    @abstractmethod
    def read(self, structure: Scores, with_marginals: bool = True) -> list[Prediction]:
        """
        The best entities and relations of each sentence.

        with_marginals : give each its exact probability. Metrics can do without, which is faster; all are NaN then.
        """

    def read_given(self, structure: Scores, given: Sequence[Sequence[Entity] | None]) -> list[Prediction]:
        """As `read`; a sentence whose entities are given has these, with score 1, and the relations given them."""
        raise NotImplementedError

    def taggings(self, structure: Scores, k: int) -> list[list[Tagging]]:
        """The `k` most probable labellings of each sentence, best first; fewer where there are no more."""
        raise NotImplementedError

    def probabilities(self, structure: Scores, sentences: Sequence[Sentence]) -> TypeProbabilities:
        """The probability of each type on the tokens of each gold entity, whatever the model finds there."""
        spans = [list(dict.fromkeys(entity.fragments for entity in one.entities)) for one in sentences]
        return self.span_probabilities(structure, spans)

    @abstractmethod
    def span_probabilities(self, structure: Scores, spans: Sequence[Collection[Fragments]]) -> TypeProbabilities:
        """The probability that exactly these tokens are an entity of each type, `(types,)`, for any spans."""

    @abstractmethod
    def type_marginals(self, structure: Scores) -> Tensor:
        """The probability that a position, be it a token or a span, has each type: `(batch, positions, types)`."""

    @abstractmethod
    def expected_entities(self, structure: Scores) -> Tensor:
        """How many entities a sentence has, on average over all labellings: `(batch,)`."""

    @abstractmethod
    def likely(self, structure: Scores, least: float) -> list[list[Scored]]:
        """Every entity of each sentence whose probability is at least `least`, decoded or not."""

    @abstractmethod
    def nothing(self, structure: Scores, spans: Sequence[Collection[Fragments]]) -> list[dict[Fragments, float]]:
        """The probability that there is no entity on these tokens, for any spans."""

    def pair_probabilities(self, structure: Scores, gold: Any) -> list[dict[Pair, np.ndarray]]:
        """
        For each pair of gold entities, in text order, the probability of each of `pair_names`, given that the entities
        are right. gold : the gold labels of the structure, as the model puts them out.
        """
        return [{} for _ in structure.mask]  # type: ignore[attr-defined]

    def out_of_reach(self, sentence: Sentence, reached: Collection[Fragments]) -> set[Entity]:
        """
        The gold entities that these labels cannot hold, at least not together with the others.

        reached : the spans that `probabilities` knows.
        """
        return {one for one in sentence.entities if one.type not in self.types or one.fragments not in reached}
