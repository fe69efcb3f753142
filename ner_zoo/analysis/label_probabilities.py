"""
The model's distribution over types on the tokens of each gold entity, and the discrepancy of its output.

    ratio = p(output) / p(true type)        D = variance of p over all types / p(true type)

Up (ratio > 1): the output is wrong and more probable than the true type. Stable (= 1): the output is right. Down (< 1):
the output is wrong although the true type is more probable, as can happen if a decoder considers the whole sentence.
"""

import numpy as np

from ner_zoo.analysis.analysis import DOWN, NONE, STABLE, UP, Discrepancy, LabelProbabilities
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.annotation import Entity

MOST_POINTS = 5000
# Minimum probability to divide by: an unknown type has probability 0.
FLOOR = 1e-9


def label_probabilities(answers: Answers, most: int = MOST_POINTS, seed: int = 0) -> LabelProbabilities:
    """One row per gold entity, or per entity of a sample of `most` of them."""
    every = [(answer, entity) for answer in answers.each for entity in answer.sentence.entities]
    chosen = every
    if len(every) > most:
        numbers = np.sort(np.random.default_rng(seed).choice(len(every), most, replace=False))
        chosen = [every[number] for number in numbers]
    unknown = sorted({entity.type for _, entity in every} - set(answers.types))
    names = [*answers.types, *unknown]
    rows = [distribution(answer, entity, len(answers.types), len(names)) for answer, entity in chosen]
    return LabelProbabilities(
        names=[*names, NONE],
        probabilities=np.array(rows, dtype=np.float64).reshape(-1, len(names) + 1),
        gold=np.array([names.index(entity.type) for _, entity in chosen], dtype=np.int64),
        predicted=np.array([decoded(answer, entity, names) for answer, entity in chosen], dtype=np.int64),
        total=len(every),
    )


def distribution(answer: Answer, entity: Entity, known: int, types: int) -> np.ndarray:
    """
    Over the types and `none`. If a span may have two types, probabilities can sum to more than 1 and are normalised.
    """
    row = np.zeros(types + 1)
    by_type = answer.type_probabilities.get(entity.fragments)
    if by_type is not None:
        row[:known] = by_type
    total = row.sum()
    if total > 1.0:
        row /= total
    row[-1] = max(0.0, 1.0 - row.sum())
    return row


def decoded(answer: Answer, entity: Entity, names: list[str]) -> int:
    """The type predicted on the tokens of a gold entity: the right one if predicted, otherwise the most probable."""
    if entity in answer.entities:
        return names.index(entity.type)
    found = [(score, one.type) for one, score in answer.entities.items() if one.fragments == entity.fragments]
    return names.index(max(found)[1]) if found else len(names)


def discrepancy(labels: LabelProbabilities) -> Discrepancy:
    rows = np.arange(len(labels.gold))
    true = np.maximum(labels.true_probability, FLOOR)
    output = np.maximum(labels.probabilities[rows, labels.predicted], FLOOR)
    log_ratio = np.log2(output / true)
    kind = np.where(log_ratio > 0, UP, np.where(log_ratio < 0, DOWN, STABLE))
    variance = labels.probabilities.var(axis=1) if len(rows) else np.zeros(0)
    return Discrepancy(log_ratio, variance / true, kind)
