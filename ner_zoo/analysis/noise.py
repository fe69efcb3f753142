"""
Where the annotation, and not the model, may be wrong.

- doubted: gold entities to which the model gives little probability. Suspicion = 1 - probability.
- missing: predictions that are not in gold and of which the model is sure. Suspicion = probability.

What a model could not have found says nothing about the annotation and is left out, and so are predictions on tokens
that nobody has annotated.
"""

from collections.abc import Iterable
from typing import Any

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.errors import shared, tokens_of
from ner_zoo.analysis.mentions import mention, place_of
from ner_zoo.annotation import Entity

DOUBTED, MISSING = "doubted", "missing"
# Less suspicious than this is not worth a look: the model thinks that the annotation is as likely right as wrong.
LEAST_SUSPICION = 0.5


def noise_candidates(answers: Answers, least: float = LEAST_SUSPICION) -> list[dict[str, Any]]:
    """Both kinds together, the most suspicious first."""
    found: list[dict[str, Any]] = []
    for number, answer in enumerate(answers.each):
        found += _doubted(answers, answer, number)
        found += _missing(answer, number)
    kept = [one for one in found if one["suspicion"] >= least]
    return sorted(kept, key=lambda one: (-one["suspicion"], one["sentence"], one["mention"]["start"]))


def _doubted(answers: Answers, answer: Answer, number: int) -> Iterable[dict[str, Any]]:
    for entity in answer.sentence.entities:
        if entity not in answer.out_of_reach:
            probability = answers.probability(answer, entity)
            instead = overlapping(entity, answer.entities, answer)
            yield candidate(DOUBTED, 1.0 - probability, probability, entity, instead, answer, number)


def _missing(answer: Answer, number: int) -> Iterable[dict[str, Any]]:
    gold, unknown = dict.fromkeys(answer.sentence.entities, 1.0), set(answer.sentence.unknown)
    for entity, probability in answer.entities.items():
        if entity not in gold and not unknown & tokens_of(entity):
            instead = overlapping(entity, gold, answer)
            yield candidate(MISSING, probability, probability, entity, instead, answer, number)


def overlapping(entity: Entity, others: dict[Entity, float], answer: Answer) -> list[dict[str, Any]]:
    return [mention(answer.sentence, one, score) for one, score in others.items() if shared(entity, one)]


def candidate(
    kind: str,
    suspicion: float,
    probability: float,
    entity: Entity,
    instead: list[dict[str, Any]],
    answer: Answer,
    number: int,
) -> dict[str, Any]:
    return {
        "kind": kind,
        "suspicion": round(suspicion, 6),
        "probability": round(probability, 6),
        "mention": mention(answer.sentence, entity, probability),
        "instead": instead,
        **place_of(answer.sentence, number),
    }
