"""
Input of writers: a sentence and, for a predicted annotation, the model and its scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.corpora.annotated_text import Mention, TokenOffsets


@dataclass(frozen=True)
class ScoredSentence:
    """
    sentence : the text and its annotation; for a prediction the whole text, which may be several sentences.
    model : name of the model that predicted the annotation; empty for human annotation.
    entity_scores, relation_scores : probabilities of a prediction.
    fields : other fields of the input, such as an id.
    """

    sentence: Sentence
    model: str = ""
    entity_scores: Mapping[Entity, float] = field(default_factory=dict)
    relation_scores: Mapping[Relation, float] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_predicted(self) -> bool:
        return bool(self.model)

    @property
    def score(self) -> float | None:
        """The score of the entity with the lowest probability."""
        return min(self.entity_scores.values(), default=None)


OUTPUTS = frozenset("text tokens sentences entities relations taggings".split())


def of_prediction(record: Mapping[str, Any], model: str) -> ScoredSentence:
    """Converts an output of the predictor, as written by `annotate`."""
    offsets = tuple((token["start"], token["end"]) for token in record["tokens"])
    places = TokenOffsets(offsets)
    text = record["text"]
    entities: dict[int, Entity] = {}
    scores: dict[Entity, float] = {}
    for number, value in enumerate(record["entities"]):
        fragments = tuple((start, end) for start, end in value["fragments"])
        entity = places.entity(Mention(value["type"], fragments, ""))
        if entity is not None:
            entities[number] = entity
            scores.setdefault(entity, value.get("score", 1.0))
    relations: dict[Relation, float] = {}
    for value in record.get("relations", ()):
        if value["head"] in entities and value["tail"] in entities:
            relation = Relation(value["type"], entities[value["head"]], entities[value["tail"]])
            relations.setdefault(relation, value.get("score", 1.0))
    tokens = tuple(text[start:end] for start, end in offsets)
    sentence = Sentence(tokens, tuple(scores), tuple(relations), text=text, offsets=offsets)
    own = {name: value for name, value in record.items() if name not in OUTPUTS}
    return ScoredSentence(sentence, model, scores, relations, own)
