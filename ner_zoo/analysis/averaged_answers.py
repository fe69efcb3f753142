"""
Averages the answers of several models for the same sentences: the answer of the mixture of the models.

    P(annotation) = mean over models of P(annotation | model)

Models number labels in their own ways; the average has all types and pair labels of all of them. Only gold annotations
have exact probabilities in every model. An entity that a model does not list as likely has a probability of less than
0.02 there and counts as 0; that there is nothing on its tokens then counts as 1 minus the probability of the likely
entities that overlap it.
"""

from collections.abc import Iterable, Sequence
from statistics import fmean

import numpy as np

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.errors import shared
from ner_zoo.annotation import Entity
from ner_zoo.data.span_arrays import Fragments


def averaged(models: Sequence[Answers]) -> Answers:
    """models : the answers of each model, for the same sentences in the same order."""
    first = models[0]
    if len(models) == 1:
        return first
    whole = Answers(
        ", ".join(one.model for one in models),
        first.kind,
        _union(one.types for one in models),
        first.has_relations,
        [],
        first.spans_are_given,
        tuple(_union(one.pair_names for one in models)),
    )
    type_orders = [[whole.types.index(type) for type in one.types] for one in models]
    pair_orders = [[whole.pair_names.index(name) for name in one.pair_names] for one in models]
    for answers in zip(*(one.each for one in models), strict=True):
        found = _probabilities(answers)
        found.type_probabilities = _rows([one.type_probabilities for one in answers], type_orders, len(whole.types))
        found.pairs = _rows([one.pairs for one in answers], pair_orders, len(whole.pair_names))
        whole.each.append(found)
    return whole


def _union(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))


def _probabilities(answers: Sequence[Answer]) -> Answer:
    """The average without the parts that depend on the numbering of labels."""
    likely = {entity: 0.0 for one in answers for entity in one.likely}
    for one in answers:
        for entity, probability in one.likely.items():
            likely[entity] += probability / len(answers)
    spans = dict.fromkeys(span for one in answers for span in one.nothing)
    relations = {relation for one in answers for relation in one.relations}
    return Answer(
        answers[0].sentence,
        {entity: score for entity, score in likely.items() if _most(answers, "entities", entity)},
        {
            relation: fmean(one.relations.get(relation, 0.0) for one in answers)
            for relation in sorted(relations, key=lambda one: (one.head.start, one.tail.start, one.type))
            if _most(answers, "relations", relation)
        },
        likely=likely,
        nothing={span: fmean(_nothing(one, span) for one in answers) for span in spans},
        error_probability=fmean(one.error_probability for one in answers),
        out_of_reach=set.intersection(*(one.out_of_reach for one in answers)),
    )


def _most(answers: Sequence[Answer], part: str, annotation: object) -> bool:
    """Whether more than half of the models predict it."""
    return 2 * sum(annotation in getattr(one, part) for one in answers) > len(answers)


def _nothing(answer: Answer, span: Fragments) -> float:
    if span in answer.nothing:
        return answer.nothing[span]
    there = Entity("", span)
    return max(0.0, 1.0 - sum(p for entity, p in answer.likely.items() if shared(entity, there)))


def _rows(parts: Sequence[dict], orders: Sequence[list[int]], size: int) -> dict:
    """The mean of each row over the models; a model in which a label does not exist gives it 0."""
    found = {key: np.zeros(size) for part in parts for key in part}
    for part, order in zip(parts, orders):
        for key, row in part.items():
            found[key][order] += np.asarray(row) / len(parts)
    return found
