"""
Precision, recall and F1, overall and per type, strict and by boundaries only.

Gold comes from the file: entities that a model cannot represent stay in the denominator.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

import numpy as np

from ner_zoo.analysis.analysis import Score, Scores
from ner_zoo.analysis.answers import Answer
from ner_zoo.annotation import Entity, Relation

Annotation = TypeVar("Annotation", Entity, Relation)
Sides = list[tuple[set[Annotation], set[Annotation]]]


def entity_scores(answers: Iterable[Answer]) -> Scores:
    return _scores([(set(one.sentence.entities), set(one.entities)) for one in answers])


def relation_scores(answers: Iterable[Answer]) -> Scores:
    return _scores([(set(one.sentence.relations), set(one.relations)) for one in answers])


def _scores(sides: Sides) -> Scores:
    strict, boundaries = Counter(), Counter()  # type: Counter, Counter
    by_type: dict[str, Counter] = {}
    for gold, predicted in sides:
        bare_gold, bare_predicted = {_bare(one) for one in gold}, {_bare(one) for one in predicted}
        strict.update(found=len(gold & predicted), gold=len(gold), predicted=len(predicted))
        both = len(bare_gold & bare_predicted)
        boundaries.update(found=both, gold=len(bare_gold), predicted=len(bare_predicted))
        for one in gold:
            counts = by_type.setdefault(one.type, Counter())
            counts.update(gold=1, found=one in predicted, bare_found=_bare(one) in bare_predicted)
        for one in predicted:
            counts = by_type.setdefault(one.type, Counter())
            counts.update(predicted=1, right=one in gold, bare_right=_bare(one) in bare_gold)
    return Scores(
        Score(strict["found"], strict["gold"], strict["found"], strict["predicted"]),
        Score(boundaries["found"], boundaries["gold"], boundaries["found"], boundaries["predicted"]),
        {type: Score(c["found"], c["gold"], c["right"], c["predicted"]) for type, c in sorted(by_type.items())},
        {
            type: Score(c["bare_found"], c["gold"], c["bare_right"], c["predicted"])
            for type, c in sorted(by_type.items())
        },
    )


def _bare(annotation: object) -> Hashable:
    """The boundary-only key: an entity's tokens; a relation's type, direction and argument tokens."""
    if isinstance(annotation, Relation):
        return annotation.type, annotation.head.fragments, annotation.tail.fragments
    assert isinstance(annotation, Entity)
    return annotation.fragments


def sentence_counts(sides: Iterable[tuple[Iterable[Hashable], Iterable[Hashable]]]) -> np.ndarray:
    """Correct, predicted and gold counts of each sentence: `(sentences, 3)`."""
    rows = [(len(set(gold) & set(predicted)), len(set(predicted)), len(set(gold))) for gold, predicted in sides]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)
