"""
The meaning of a structure's labels: converts scores back to entities and relations.

A view converts a `Sentence` to tensors, a head converts vectors to a `Structure`; `Labels` reads predictions and exact
probabilities from the structure. Metrics, predictors and analyses use the labels of a model and never depend on its
class.
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

# The input: a `Structure` of any kind, or a `Joint`.
Scores = TypeVar("Scores")

# For each sentence, the queried spans with the probability of each type, without spans that cannot be an entity under
# these labels.
TypeProbabilities = list[dict[Fragments, np.ndarray]]
Pair = tuple[Entity, Entity]


class Labels(Abilities, ABC, Generic[Scores]):
    """
    Base class: one subclass per meaning of labels.

    names : the label names, by index.
    pair_names : the names of pair labels, by index; empty if predictions have no relations.
    has_relations, has_taggings : see `Abilities`; they imply `read_given` and `taggings`, respectively.
    """

    names: tuple[str, ...]
    pair_names: tuple[str, ...] = ()

    @property
    def background(self) -> int:
        """The index of the label for "nothing here", or -1."""
        return self.names.index(OUTSIDE) if OUTSIDE in self.names else -1

    @property
    @abstractmethod
    def types(self) -> Sequence[str]:
        """The entity types that can be predicted, sorted."""

    @abstractmethod
    def read(self, structure: Scores, with_marginals: bool = True) -> list[Prediction]:
        """
        The best entities and relations of each sentence.

        with_marginals : compute the exact probability of each. Metrics skip this for speed; all are NaN then.
        """

    def read_given(self, structure: Scores, given: Sequence[Sequence[Entity] | None]) -> list[Prediction]:
        """Like `read`, but a sentence with given entities gets these, with score 1, and the relations between them."""
        raise NotImplementedError

    def taggings(self, structure: Scores, k: int) -> list[list[Tagging]]:
        """The `k` most probable labellings of each sentence, best first; fewer if there are no more."""
        raise NotImplementedError

    def probabilities(self, structure: Scores, sentences: Sequence[Sentence]) -> TypeProbabilities:
        """The probability of each type on the tokens of each gold entity, whatever the model predicts there."""
        spans = [list(dict.fromkeys(entity.fragments for entity in one.entities)) for one in sentences]
        return self.span_probabilities(structure, spans)

    @abstractmethod
    def span_probabilities(self, structure: Scores, spans: Sequence[Collection[Fragments]]) -> TypeProbabilities:
        """The probability that exactly these tokens are an entity of each type, `(types,)`, for arbitrary spans."""

    @abstractmethod
    def type_marginals(self, structure: Scores) -> Tensor:
        """The probability of each type at each position (token or span): `(batch, positions, types)`."""

    @abstractmethod
    def expected_entities(self, structure: Scores) -> Tensor:
        """The expected number of entities in a sentence over all labellings: `(batch,)`."""

    @abstractmethod
    def likely(self, structure: Scores, least: float) -> list[list[Scored]]:
        """All entities of each sentence with a probability of at least `least`, decoded or not."""

    @abstractmethod
    def nothing(self, structure: Scores, spans: Sequence[Collection[Fragments]]) -> list[dict[Fragments, float]]:
        """The probability that there is no entity on these tokens, for arbitrary spans."""

    def pair_probabilities(self, structure: Scores, gold: Any) -> list[dict[Pair, np.ndarray]]:
        """
        For each pair of gold entities, in text order, the probability of each of `pair_names`, given that the entities
        are correct. gold : the gold labels of the structure, as returned by the model.
        """
        return [{} for _ in structure.mask]  # type: ignore[attr-defined]

    def out_of_reach(self, sentence: Sentence, reached: Collection[Fragments]) -> set[Entity]:
        """
        The gold entities that these labels cannot represent, at least not together with the others.

        reached : the spans that `probabilities` covers.
        """
        return {one for one in sentence.entities if one.type not in self.types or one.fragments not in reached}
