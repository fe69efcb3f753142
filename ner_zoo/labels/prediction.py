"""
What a model finds in one sentence, in plain Python.
"""

from dataclasses import dataclass, field
from typing import List, Tuple

from ner_zoo.annotation import Entity, Relation

Scored = Tuple[Entity, float]


@dataclass(frozen=True)
class Tagging:
    """One of the best labellings of a whole sentence: its log-probability, and its entities with their own."""

    log_probability: float
    entities: Tuple[Scored, ...]


@dataclass
class Prediction:
    """entities, relations : with their probabilities. taggings : the best ones, best first; empty unless asked for."""

    entities: List[Scored] = field(default_factory=list)
    relations: List[Tuple[Relation, float]] = field(default_factory=list)
    taggings: List[Tagging] = field(default_factory=list)
