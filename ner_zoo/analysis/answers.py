"""
A model's answers for every sentence of a file, next to the gold annotation: the input of all analyses.
"""

from dataclasses import dataclass, field
from math import nan

import numpy as np

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.labels.labels import Pair


@dataclass
class Answer:
    """
    sentence : the sentence with its gold annotation.
    entities, relations : the model's predictions, with their probabilities.
    type_probabilities : for the tokens of each gold entity, `(types,)`: the probability that they are exactly an entity
        of that type. `None` for tokens that cannot be an entity in this model.
    likely : every entity with a substantial probability, decoded or not, with that probability.
    nothing : for the tokens of each gold and each likely entity, the probability that there is no entity.
    pairs : for each pair of gold entities, in text order, the probability of each pair label given these entities.
    error_probability : 1 - P(gold annotation | sentence): the probability that the annotation contains an error.
    out_of_reach : gold entities that the model could not have found in addition to the others: nested in a wider one
        for a tagger, discontinuous, too wide, or of an unknown type.
    """

    sentence: Sentence
    entities: dict[Entity, float] = field(default_factory=dict)
    relations: dict[Relation, float] = field(default_factory=dict)
    type_probabilities: dict[Fragments, np.ndarray] = field(default_factory=dict)
    likely: dict[Entity, float] = field(default_factory=dict)
    nothing: dict[Fragments, float] = field(default_factory=dict)
    pairs: dict[Pair, np.ndarray] = field(default_factory=dict)
    error_probability: float = nan
    out_of_reach: set[Entity] = field(default_factory=set)


@dataclass
class Answers:
    """
    model : the archive. kind : the model's registered name. types : the model's types, by index.
    has_relations : whether the model predicts relations. pair_names : the labels of pairs, by index.
    spans_are_given : whether the model was given the spans of the gold entities and only predicted their types.
    each : one answer per sentence of the file, in order.
    """

    model: str
    kind: str
    types: list[str]
    has_relations: bool
    each: list[Answer]
    spans_are_given: bool = False
    pair_names: tuple[str, ...] = ()

    def probability(self, answer: Answer, entity: Entity) -> float:
        """The probability of exactly this gold entity, found or not; 0 if the model cannot represent it."""
        if entity in answer.entities:
            return answer.entities[entity]
        by_type = answer.type_probabilities.get(entity.fragments)
        if by_type is None or entity.type not in self.types:
            return 0.0
        return float(by_type[self.types.index(entity.type)])
