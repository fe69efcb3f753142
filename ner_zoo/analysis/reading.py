"""
Reads a model's answers for one sentence, or for one window of a long sentence, and merges windows.

The probabilities of an entity, gold or not, and of a pair come from the window that decides it.
"""

from collections.abc import Sequence
from math import exp
from typing import Any

from ner_zoo.analysis.answers import Answer
from ner_zoo.annotation import Relation, Sentence, Span
from ner_zoo.labels.labels import Labels
from ner_zoo.labels.prediction import Prediction
from ner_zoo.predictors.windows import deciding_window, merged, moved

# Less probable entities are not alternatives to gold.
LEAST = 0.02


def read(labels: Labels, structure: Any, gold: Any, sentences: Sequence[Sentence]) -> list[Answer]:
    """Everything that labels provide about annotated sentences or windows."""
    predictions = labels.read(structure)
    likely = [{**dict(found), **dict(one.entities)} for found, one in zip(labels.likely(structure, LEAST), predictions)]
    spans = [
        list(dict.fromkeys(entity.fragments for entity in (*one.entities, *found)))
        for one, found in zip(sentences, likely)
    ]
    columns = (
        sentences,
        [dict(one.entities) for one in predictions],
        [dict(one.relations) for one in predictions],
        labels.probabilities(structure, sentences),
        likely,
        labels.nothing(structure, spans),
        labels.pair_probabilities(structure, gold),
        [1.0 - min(1.0, exp(value)) for value in structure.log_annotation(gold).tolist()],
    )
    return [Answer(*row) for row in zip(*columns)]


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


def answer_of(sentence: Sentence, cuts: Sequence[Span], windows: Sequence[Answer]) -> Answer:
    """Merges the answers for the windows of a sentence."""
    found = [Prediction(list(one.entities.items()), list(one.relations.items())) for one in windows]
    whole = merged(cuts, found)
    answer = Answer(sentence, dict(whole.entities), dict(whole.relations))
    # A lower bound: two windows may each contain an error.
    answer.error_probability = max(one.error_probability for one in windows)
    for number, ((shift, _), one) in enumerate(zip(cuts, windows)):

        def is_decided(start: int, end: int, number: int = number) -> bool:
            return deciding_window(cuts, start, end) == number

        spans = {
            tuple((start + shift, end + shift) for start, end in span): span
            for span in (*one.type_probabilities, *one.nothing)
        }
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
