"""
Options that filter predictions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ner_zoo.annotation import Entity
from ner_zoo.labels.prediction import Prediction, Scored
from ner_zoo.platform.configuration_error import ConfigurationError


@dataclass(frozen=True)
class Options:
    """
    threshold : drop entities and relations with a lower probability.
    top_k : number of alternative taggings to return; 0 for none.
    nested : whether entities may overlap; if false, only the most probable of overlapping entities is kept.
    """

    threshold: float = 0.0
    top_k: int = 0
    nested: bool = True

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 1.0:
            raise ConfigurationError(
                f"threshold is {self.threshold}. It is a probability: set it to a number from 0 to 1."
            )
        if self.top_k < 0:
            raise ConfigurationError(f"top_k is {self.top_k}. Set it to the number of taggings, or 0 for none.")

    def select(self, prediction: Prediction) -> Prediction:
        """The filtered prediction in text order. Relations are dropped with their entities."""
        entities = [(entity, score) for entity, score in prediction.entities if score >= self.threshold]
        if not self.nested:
            entities = most_probable_apart(entities)
        entities.sort(key=lambda pair: in_text(pair[0]))
        kept = {entity for entity, _ in entities}
        relations = [
            (relation, score)
            for relation, score in prediction.relations
            if score >= self.threshold and relation.head in kept and relation.tail in kept
        ]
        relations.sort(key=lambda pair: (in_text(pair[0].head), in_text(pair[0].tail), pair[0].type))
        return Prediction(entities, relations, prediction.taggings)


def in_text(entity: Entity) -> tuple[int, int, str, tuple[tuple[int, int], ...]]:
    """Sort key: entities from left to right, wider ones before those inside them."""
    return entity.start, -entity.end, entity.type, entity.fragments


def overlap(first: Entity, second: Entity) -> bool:
    """Whether the two entities share a token."""
    if first.end <= second.start or second.end <= first.start:
        return False
    return any(s < f and e < t for s, t in first.fragments for e, f in second.fragments)


def most_probable_apart(entities: Sequence[Scored]) -> list[Scored]:
    """Non-overlapping entities, selected greedily by probability."""
    chosen: list[Scored] = []
    for entity, score in sorted(entities, key=lambda pair: (-pair[1], in_text(pair[0]))):
        if not any(overlap(entity, other) for other, _ in chosen):
            chosen.append((entity, score))
    return chosen
