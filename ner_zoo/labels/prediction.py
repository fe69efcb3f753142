"""
A model's prediction for one sentence, in plain Python.
"""

from dataclasses import dataclass, field

from ner_zoo.annotation import Entity, Relation

Scored = tuple[Entity, float]


@dataclass(frozen=True)
class Tagging:
    """One of the best labellings of a sentence: its log-probability, and its entities with their probabilities."""

    log_probability: float
    entities: tuple[Scored, ...]


@dataclass
class Prediction:
    """entities, relations : with their probabilities. taggings : best first; empty unless requested."""

    entities: list[Scored] = field(default_factory=list)
    relations: list[tuple[Relation, float]] = field(default_factory=list)
    taggings: list[Tagging] = field(default_factory=list)
