"""
Compares two models on one file: what only one of them finds, and whether the difference is significant.
"""

from typing import Any

import numpy as np

from ner_zoo.analysis.analysis import Calibration, ComparedModel, Errors, Scores, Significance
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.mentions import as_prediction, mention, place_of
from ner_zoo.analysis.scores import entity_scores, relation_scores, sentence_counts
from ner_zoo.analysis.significance import paired_bootstrap
from ner_zoo.analysis.worst import gold_prediction
from ner_zoo.annotation import Entity

MOST_EXAMPLES = 30
BOTH, ONLY_FIRST, ONLY_SECOND, NEITHER = range(4)


def rival(first: Answers, second: Answers, errors: Errors, calibration: Calibration) -> ComparedModel:
    """`errors` and `calibration` are those of the second model."""
    return ComparedModel(
        model=second.model,
        kind=second.kind,
        scores=entity_scores(second.each),
        relations=relation_scores(second.each) if second.has_relations else None,
        errors=errors,
        calibration=calibration,
        agreement=agreement(first, second),
        significance=significance(first, second),
        only_first=examples(first, second, ONLY_FIRST),
        only_second=examples(first, second, ONLY_SECOND),
    )


def found_by(entity: Entity, first: Answer, second: Answer) -> int:
    """Which of the models find a gold entity."""
    cases = {(True, True): BOTH, (True, False): ONLY_FIRST, (False, True): ONLY_SECOND, (False, False): NEITHER}
    return cases[entity in first.entities, entity in second.entities]


def agreement(first: Answers, second: Answers) -> dict[str, np.ndarray]:
    """For each gold type: found by both, only the first, only the second, neither."""
    counts: dict[str, np.ndarray] = {}
    for one, other in zip(first.each, second.each):
        for entity in dict.fromkeys(one.sentence.entities):
            counts.setdefault(entity.type, np.zeros(4, dtype=np.int64))[found_by(entity, one, other)] += 1
    return dict(sorted(counts.items()))


def significance(first: Answers, second: Answers) -> list[Significance]:
    """For entities, and for relations if there are gold ones and both models predict them."""
    pairs = list(zip(first.each, second.each))
    entities = [[(one.sentence.entities, one.entities) for one in side] for side in zip(*pairs)]
    tests = [("entity F1", entities, entity_scores)] if pairs else []
    if pairs and first.has_relations and second.has_relations and any(one.sentence.relations for one, _ in pairs):
        relations = [[(one.sentence.relations, one.relations) for one in side] for side in zip(*pairs)]
        tests.append(("relation F1", relations, relation_scores))  # type: ignore[arg-type]
    return [
        _significance(
            name, (sentence_counts(sides[0]), sentence_counts(sides[1])), (score(first.each), score(second.each))
        )
        for name, sides, score in tests
    ]


def _significance(metric: str, counts: tuple[np.ndarray, np.ndarray], scores: tuple[Scores, Scores]) -> Significance:
    f1 = [some.strict.f1 for some in scores]
    is_first_better = f1[0] >= f1[1]
    better, worse = counts if is_first_better else counts[::-1]
    test = paired_bootstrap(better, worse)
    low, high = test.interval or (float("nan"), float("nan"))
    if not is_first_better:
        low, high = -high, -low
    return Significance(metric, f1[0], f1[1], f1[0] - f1[1], low, high, test.p_value, test.samples)


def examples(first: Answers, second: Answers, case: int, most: int = MOST_EXAMPLES) -> list[dict[str, Any]]:
    """Gold entities that only one model finds, most confident first."""
    found: list[tuple[float, dict[str, Any]]] = []
    for number, (one, other) in enumerate(zip(first.each, second.each)):
        for entity in one.sentence.entities:
            if found_by(entity, one, other) == case:
                score = (one if case == ONLY_FIRST else other).entities[entity]
                found.append((score, {"entity": entity, "number": number}))
    found.sort(key=lambda pair: -pair[0])
    return [_shown(first, second, chosen["number"], chosen["entity"], score) for score, chosen in found[:most]]


def _shown(first: Answers, second: Answers, number: int, entity: Entity, score: float) -> dict[str, Any]:
    one, other = first.each[number], second.each[number]
    return {
        "mention": mention(one.sentence, entity, score),
        **place_of(one.sentence, number),
        "gold": gold_prediction(first, one),
        "first": as_prediction(one.sentence, one.entities, one.relations),
        "second": as_prediction(other.sentence, other.entities, other.relations),
    }
