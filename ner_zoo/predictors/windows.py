"""
Splits sentences that are too long for a model into overlapping windows, and merges the predictions.

Each span is decided by the window that sees it best: of the windows that contain it completely, the one where it is
closest to the middle. So each entity, and each relation from its first to its last token, comes from exactly one
window, and nothing is found twice. Of two overlapping entities from different windows, both are kept only if one of the
windows has both; otherwise the less probable one is dropped, so that a model without nested entities produces none at
the seams. A sentence that fits is one window.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ner_zoo.annotation import Entity, Relation, Sentence, Span
from ner_zoo.labels.prediction import Prediction, Tagging
from ner_zoo.predictors.given_entities import SentenceWithEntities, given_in
from ner_zoo.predictors.options import in_text, overlap
from ner_zoo.predictors.taggings import most_probable


class FoundInWindow(NamedTuple):
    entity: Entity
    score: float
    window: int


def windows(length: int, size: int, shared: int) -> list[Span]:
    """Spans of at most `size` tokens that cover `length` tokens, each sharing at least `shared` with the next."""
    if length <= size:
        return [(0, length)]
    starts = [*range(0, length - size, size - shared), length - size]
    return [(start, start + size) for start in starts]


def cut(sentence: Sentence, spans: Sequence[Span]) -> list[Sentence]:
    """The windows of a sentence as sentences; given entities go to every window that contains them completely."""
    if len(spans) == 1:
        return [sentence]
    given = given_in(sentence)
    if given is None:
        return [Sentence(sentence.tokens[start:end]) for start, end in spans]
    return [
        SentenceWithEntities(
            sentence.tokens[start:end],
            given=tuple(moved(entity, -start) for entity in given if start <= entity.start and entity.end <= end),
        )
        for start, end in spans
    ]


def of_sentence(sentence: Sentence, spans: Sequence[Span], predictions: Sequence[Prediction], top_k: int) -> Prediction:
    """The prediction for a sentence; includes all given entities, even those wider than a window."""
    whole = merged_with_taggings(spans, predictions, top_k)
    given = given_in(sentence)
    return whole if given is None else Prediction([(entity, 1.0) for entity in given], whole.relations)


def merged(spans: Sequence[Span], predictions: Sequence[Prediction]) -> Prediction:
    """Merges the predictions of windows into the prediction for the sentence."""
    if len(spans) == 1:
        return predictions[0]
    seen = [_shifted(prediction, start) for (start, _), prediction in zip(spans, predictions)]
    found = [
        FoundInWindow(entity, score, number)
        for number, prediction in enumerate(seen)
        for entity, score in prediction.entities
        if deciding_window(spans, entity.start, entity.end) == number
    ]
    whole = Prediction([(entity, score) for entity, score, _ in _consistent(found, seen)])
    kept = {entity for entity, _ in whole.entities}
    for number, prediction in enumerate(seen):
        for relation, score in prediction.relations:
            start = min(relation.head.start, relation.tail.start)
            end = max(relation.head.end, relation.tail.end)
            if {relation.head, relation.tail} <= kept and deciding_window(spans, start, end) == number:
                whole.relations.append((relation, score))
    return whole


def merged_with_taggings(spans: Sequence[Span], predictions: Sequence[Prediction], top_k: int) -> Prediction:
    """
    Like `merged`, but combines the taggings of windows as if they were sentences: the probability of overlaps is
    counted twice, so it is exact only for a sentence with one window.
    """
    whole = merged(spans, predictions)
    if len(spans) == 1:
        return whole
    for sequence in most_probable([prediction.taggings for prediction in predictions], top_k):
        parts = [Prediction(list(tagging.entities)) for tagging in sequence.taggings]
        whole.taggings.append(Tagging(sequence.log_probability, tuple(merged(spans, parts).entities)))
    return whole


def deciding_window(spans: Sequence[Span], start: int, end: int) -> int:
    """The index of the window that decides `[start, end)`; -1 if no window contains it completely."""
    holding = [number for number, (first, last) in enumerate(spans) if first <= start and end <= last]
    return min(holding, key=lambda number: abs(sum(spans[number]) - start - end), default=-1)


def _shifted(prediction: Prediction, shift: int) -> Prediction:
    """Shifts positions from the window to the sentence."""
    new: dict[Entity, Entity] = {}
    for entity, _ in prediction.entities:
        new[entity] = moved(entity, shift)
    return Prediction(
        [(new[entity], score) for entity, score in prediction.entities],
        [(Relation(relation.type, new[relation.head], new[relation.tail]), s) for relation, s in prediction.relations],
    )


def moved(entity: Entity, shift: int) -> Entity:
    return Entity(entity.type, tuple((start + shift, end + shift) for start, end in entity.fragments))


def _consistent(found: Sequence[FoundInWindow], seen: Sequence[Prediction]) -> list[FoundInWindow]:
    """Drops the less probable of two overlapping entities unless one window has both."""
    said: list[set[Entity]] = [{entity for entity, _ in prediction.entities} for prediction in seen]
    rivals: dict[FoundInWindow, list[FoundInWindow]] = {}
    open_ones: list[FoundInWindow] = []
    for one in sorted(found, key=lambda one: in_text(one.entity)):
        open_ones = [other for other in open_ones if other.entity.end > one.entity.start]
        for other in open_ones:
            together = other.entity in said[one.window] or one.entity in said[other.window]
            if one.window != other.window and not together and overlap(one.entity, other.entity):
                rivals.setdefault(one, []).append(other)
                rivals.setdefault(other, []).append(one)
        open_ones.append(one)
    lost: set[FoundInWindow] = set()
    for one in sorted(rivals, key=lambda one: (-one.score, in_text(one.entity))):
        if one not in lost:
            lost.update(rivals[one])
    return [one for one in found if one not in lost]
