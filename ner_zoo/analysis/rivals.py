"""
Compares two models on one file: what only one of them finds, and whether the difference is significant.
"""

from typing import Any

import numpy as np

from ner_zoo.analysis.analysis import Calibration, ComparedModel, Errors, Significance
from ner_zoo.analysis.answers import Answers
from ner_zoo.analysis.mentions import as_prediction, mention, place_of
from ner_zoo.analysis.scores import entity_scores, relation_scores, sentence_counts
from ner_zoo.analysis.significance import f1, paired_bootstrap
from ner_zoo.analysis.worst import gold_prediction
from ner_zoo.annotation import Entity

MOST_EXAMPLES = 30


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
        only_first=[_shown(first, second, *one) for one in found_alone(first, second)[:MOST_EXAMPLES]],
        only_second=[_shown(first, second, *one) for one in found_alone(second, first)[:MOST_EXAMPLES]],
    )


def agreement(first: Answers, second: Answers) -> dict[str, np.ndarray]:
    """For each gold type: found by both, only the first, only the second, neither."""
    counts: dict[str, np.ndarray] = {}
    for one, other in zip(first.each, second.each):
        for entity in dict.fromkeys(one.sentence.entities):
            row = counts.setdefault(entity.type, np.zeros(4, dtype=np.int64))
            row[2 * (entity not in one.entities) + (entity not in other.entities)] += 1
    return dict(sorted(counts.items()))


def significance(first: Answers, second: Answers) -> list[Significance]:
    """For entities, and for relations if there are gold ones and both models predict them."""
    parts = {"entity F1": "entities"}
    if first.has_relations and second.has_relations and any(one.sentence.relations for one in first.each):
        parts["relation F1"] = "relations"
    return [_significance(metric, part, first, second) for metric, part in parts.items()] if first.each else []


def _significance(metric: str, part: str, first: Answers, second: Answers) -> Significance:
    counts = [
        sentence_counts((getattr(one.sentence, part), getattr(one, part)) for one in answers.each)
        for answers in (first, second)
    ]
    ours, theirs = (float(f1(some.sum(0))) for some in counts)
    is_first_better = ours >= theirs
    better, worse = counts if is_first_better else counts[::-1]
    test = paired_bootstrap(better, worse)
    low, high = test.interval or (float("nan"), float("nan"))
    if not is_first_better:
        low, high = -high, -low
    return Significance(metric, ours, theirs, ours - theirs, low, high, test.p_value, test.samples)


def found_alone(finder: Answers, other: Answers) -> list[tuple[float, int, Entity]]:
    """Gold entities that only the finder finds, with score and sentence number, most confident first."""
    found = [
        (one.entities[entity], number, entity)
        for number, (one, another) in enumerate(zip(finder.each, other.each))
        for entity in one.sentence.entities
        if entity in one.entities and entity not in another.entities
    ]
    return sorted(found, key=lambda row: -row[0])


def _shown(first: Answers, second: Answers, score: float, number: int, entity: Entity) -> dict[str, Any]:
    one, other = first.each[number], second.each[number]
    return {
        "mention": mention(one.sentence, entity, score),
        **place_of(one.sentence, number),
        "gold": gold_prediction(first, one),
        "first": as_prediction(one.sentence, one.entities, one.relations),
        "second": as_prediction(other.sentence, other.entities, other.relations),
    }
