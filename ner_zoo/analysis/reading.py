"""
Reads a model's answers for one sentence, or for one window of a long sentence, and merges windows.

The probabilities of an entity, gold or not, and of a pair come from the window that decides it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np

from ner_zoo.analysis.answers import Answer, Fragments
from ner_zoo.annotation import Entity, Relation, Sentence, Span
from ner_zoo.labels.labels import Labels, Pair
from ner_zoo.labels.prediction import Prediction
from ner_zoo.predictors.windows import deciding_window, merged, moved

# Less probable entities are not alternatives to gold.
LEAST = 0.02


@dataclass
class Reading:
    """prediction : the decoded output. The other fields are those of an `Answer`, with positions in the window."""

    prediction: Prediction = field(default_factory=Prediction)
    type_probabilities: dict[Fragments, np.ndarray] = field(default_factory=dict)
    likely: dict[Entity, float] = field(default_factory=dict)
    nothing: dict[Fragments, float] = field(default_factory=dict)
    pairs: dict[Pair, np.ndarray] = field(default_factory=dict)
    error_probability: float = 0.0


def read(labels: Labels, structure: Any, gold: Any, sentences: Sequence[Sentence]) -> list[Reading]:
    """Everything that labels provide about annotated sentences."""
    predictions = labels.read(structure)
    likely = [{**dict(found), **dict(one.entities)} for found, one in zip(labels.likely(structure, LEAST), predictions)]
    spans = [
        list(dict.fromkeys(entity.fragments for entity in (*one.entities, *found)))
        for one, found in zip(sentences, likely)
    ]
    columns = (
        predictions,
        labels.probabilities(structure, sentences),
        likely,
        labels.nothing(structure, spans),
        labels.pair_probabilities(structure, gold),
        [1.0 - min(1.0, exp(value)) for value in structure.log_annotation(gold).tolist()],
    )
    return [Reading(*row) for row in zip(*columns)]


def pieces_of(sentence: Sentence, cuts: Sequence[Span]) -> list[Sentence]:
    """The sentence itself, or one sentence per window with the gold annotation inside it."""
    if len(cuts) == 1:
        return [sentence]
    return [_piece(sentence, start, end) for start, end in cuts]


def _piece(sentence: Sentence, start: int, end: int) -> Sentence:
    entities = {e: moved(e, -start) for e in sentence.entities if start <= e.start and e.end <= end}
    relations = [
        Relation(one.type, entities[one.head], entities[one.tail])
        for one in sentence.relations
        if one.head in entities and one.tail in entities
    ]
    unknown = tuple(place - start for place in sentence.unknown if start <= place < end)
    return Sentence(sentence.tokens[start:end], tuple(entities.values()), tuple(relations), unknown)


def _moved(span: Fragments, by: int) -> Fragments:
    return tuple((start + by, end + by) for start, end in span)


def answer_of(sentence: Sentence, cuts: Sequence[Span], readings: Sequence[Reading]) -> Answer:
    """Merges the readings of the windows of a sentence."""
    whole = merged(cuts, [reading.prediction for reading in readings])
    answer = Answer(sentence, dict(whole.entities), dict(whole.relations))
    # A lower bound: two windows may each contain an error.
    answer.error_probability = max(reading.error_probability for reading in readings)
    for number, ((shift, _), one) in enumerate(zip(cuts, readings)):

        def is_decided(start: int, end: int, number: int = number) -> bool:
            return deciding_window(cuts, start, end) == number

        spans = {_moved(span, shift): span for span in (*one.type_probabilities, *one.nothing)}
        for span, inside in spans.items():
            if is_decided(span[0][0], span[-1][1]):
                if inside in one.type_probabilities:
                    answer.type_probabilities[span] = one.type_probabilities[inside]
                if inside in one.nothing:
                    answer.nothing[span] = one.nothing[inside]
        for entity, score in one.likely.items():
            if is_decided(entity.start + shift, entity.end + shift):
                answer.likely[moved(entity, shift)] = score
        for (first, second), probabilities in one.pairs.items():
            if is_decided(first.start + shift, max(first.end, second.end) + shift):
                answer.pairs[moved(first, shift), moved(second, shift)] = probabilities
    return answer
