"""
Annotations as dictionaries with character offsets, for reports and JSON files.
"""

from collections.abc import Mapping
from typing import Any

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.labels.prediction import Prediction
from ner_zoo.predictors.document import DECIMALS, Document
from ner_zoo.predictors.options import Options


def mention(sentence: Sentence, entity: Entity, score: float | None = None) -> dict[str, Any]:
    """An entity in the format of a prediction; without a score if there is none."""
    text, offsets = sentence.characters()
    fragments = [[offsets[start][0], offsets[end - 1][1]] for start, end in entity.fragments]
    written = " ".join(text[start:end] for start, end in fragments)
    place = {"fragments": fragments, "start": fragments[0][0], "end": fragments[-1][1]}
    scored = {} if score is None else {"score": round(score, DECIMALS)}
    return {"type": entity.type, "text": written, **place, **scored}


def relation_mention(sentence: Sentence, relation: Relation, score: float | None = None) -> dict[str, Any]:
    ends = {"head": mention(sentence, relation.head), "tail": mention(sentence, relation.tail)}
    scored = {} if score is None else {"score": round(score, DECIMALS)}
    return {"type": relation.type, **ends, **scored}


def any_mention(sentence: Sentence, one: Entity | Relation | None, score: float | None = None) -> dict[str, Any] | None:
    """An entity or a relation; `None` for nothing."""
    if one is None:
        return None
    return relation_mention(sentence, one, score) if isinstance(one, Relation) else mention(sentence, one, score)


def as_prediction(
    sentence: Sentence, entities: Mapping[Entity, float], relations: Mapping[Relation, float]
) -> dict[str, Any]:
    """Entities and relations of a sentence in the format of `allennlp predict`."""
    document = Document.of_sentence(sentence)
    document.predictions = [Prediction(list(entities.items()), list(relations.items()))]
    return document.to_json(Options())


def place_of(sentence: Sentence, number: int) -> dict[str, Any]:
    """Identifies a sentence: its text, its location in the file, and its index."""
    return {"text": sentence.characters()[0], "source": sentence.source, "sentence": number}
