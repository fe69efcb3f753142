"""
Breaks down errors by properties of the annotations.

A gold annotation is grouped by the gold annotations around it, a prediction by the predictions around it, so a group's
recall is in `gold` and its precision in `predicted`.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ner_zoo.analysis.analysis import ENTITY_OUTCOMES, RELATION_OUTCOMES, Breakdown
from ner_zoo.analysis.answers import Answer
from ner_zoo.analysis.errors import Outcome, tokens_of
from ner_zoo.annotation import Entity, Relation, Sentence

# The types of each surface form in the training data.
SeenForms = Mapping[str, set[str]]
# Maps an annotation, its sentence, and all annotations on its side to the name of its group.
Group = Callable[[Any, Sentence, Collection[Any]], str]
# One word, a title, the grouping function, and all groups in order.
Property = tuple[str, str, Group, Sequence[str]]

WIDTHS = (1, 2, 3, 4, 5, 6, 11)
LENGTHS = (1, 11, 21, 31, 41, 61)
DISTANCES = (0, 1, 3, 6, 11, 21)
SEEN, SEEN_OTHERWISE, UNSEEN = "seen", "seen with another type", "unseen"
FLAT, OUTER, INSIDE_ONE, INSIDE_MORE = "flat", "containing others", "inside one", "inside two or more"
SAME_SPAN, CROSSING = "same tokens, two types", "crossing"
NESTING = (FLAT, OUTER, INSIDE_ONE, INSIDE_MORE, SAME_SPAN, CROSSING)


def entity_breakdowns(
    answers: Sequence[Answer], outcomes: Sequence[Sequence[Outcome]], seen: SeenForms | None, why_unknown: str = ""
) -> list[Breakdown]:
    """By type, width, surface form, sentence length and nesting. `seen` is `None` if the training data is unknown."""
    types = sorted({e.type for one in answers for e in (*one.sentence.entities, *one.entities)})
    properties: list[Property] = [
        ("type", "Type", by_type, types),
        (
            "width",
            "Width in tokens",
            lambda entity, *_: range_name(len(tokens_of(entity)), WIDTHS),
            range_names(WIDTHS),
        ),
        ("length", "Sentence length in tokens", by_length, range_names(LENGTHS)),
        ("nesting", "Nesting", by_nesting, NESTING),
    ]
    rows = [_breakdown(one, answers, outcomes, ENTITY_OUTCOMES) for one in properties]
    if seen is None:
        empty = np.zeros((0, len(ENTITY_OUTCOMES)), dtype=np.int64)
        form = Breakdown("form", "Surface form", [], ENTITY_OUTCOMES, empty, empty, why_unknown)
    else:
        order = (SEEN, SEEN_OTHERWISE, UNSEEN)
        by_form: Property = ("form", "Surface form in training", partial(form_group, seen), order)
        form = _breakdown(by_form, answers, outcomes, ENTITY_OUTCOMES)
    return [*rows[:2], form, *rows[2:]]


def relation_breakdowns(answers: Sequence[Answer], outcomes: Sequence[Sequence[Outcome]]) -> list[Breakdown]:
    """By type, argument types, number of tokens between the entities, and sentence length."""
    every = [r for one in answers for r in (*one.sentence.relations, *one.relations)]
    properties: list[Property] = [
        ("type", "Type", by_type, sorted({one.type for one in every})),
        (
            "arguments",
            "Types of head and tail",
            lambda one, *_: argument_types(one),
            sorted({argument_types(one) for one in every}),
        ),
        (
            "distance",
            "Tokens between the entities",
            lambda one, *_: range_name(distance(one), DISTANCES),
            range_names(DISTANCES),
        ),
        ("length", "Sentence length in tokens", by_length, range_names(LENGTHS)),
    ]
    return [_breakdown(one, answers, outcomes, RELATION_OUTCOMES) for one in properties]


def _breakdown(
    chosen: Property, answers: Sequence[Answer], outcomes: Sequence[Sequence[Outcome]], names: tuple[str, ...]
) -> Breakdown:
    name, title, group, order = chosen
    row = {one: number for number, one in enumerate(dict.fromkeys(order))}
    column = {one: number for number, one in enumerate(names)}
    gold, predicted = (np.zeros((len(row), len(names)), dtype=np.int64) for _ in range(2))
    for answer, some in zip(answers, outcomes):
        sides: list[list[Any]] = [
            [one.gold for one in some if one.gold],
            [one.predicted for one in some if one.predicted],
        ]
        for one in some:
            if one.gold is not None:
                gold[row[group(one.gold, answer.sentence, sides[0])], column[one.name]] += 1
            if one.predicted is not None:
                predicted[row[group(one.predicted, answer.sentence, sides[1])], column[one.name]] += 1
    kept = (gold.sum(1) + predicted.sum(1)) > 0
    groups = [one for one, is_kept in zip(row, kept) if is_kept]
    return Breakdown(name, title, groups, names, gold[kept], predicted[kept])


def by_type(annotation: Any, _: Sentence, __: Collection[Any]) -> str:
    return annotation.type


def by_length(_: Any, sentence: Sentence, __: Collection[Any]) -> str:
    return range_name(len(sentence.tokens), LENGTHS)


def by_nesting(entity: Entity, _: Sentence, others: Collection[Entity]) -> str:
    """The nesting of an entity among the others of its sentence."""
    around = inside = same = crossing = 0
    for other in others:
        if other == entity or other.end <= entity.start or entity.end <= other.start:
            continue
        if other.fragments == entity.fragments:
            same += 1
        elif other.start <= entity.start and entity.end <= other.end:
            inside += 1
        elif entity.start <= other.start and other.end <= entity.end:
            around += 1
        else:
            crossing += 1
    if inside:
        return INSIDE_ONE if inside == 1 else INSIDE_MORE
    return CROSSING if crossing else OUTER if around else SAME_SPAN if same else FLAT


def form_of(entity: Entity, sentence: Sentence) -> str:
    return " ".join(token for start, end in entity.fragments for token in sentence.tokens[start:end])


def form_group(seen: SeenForms, entity: Entity, sentence: Sentence, _: Collection[Entity]) -> str:
    types = seen.get(form_of(entity, sentence), ())
    return SEEN if entity.type in types else SEEN_OTHERWISE if types else UNSEEN


def seen_forms(sentences: Iterable[Sentence]) -> dict[str, set[str]]:
    """The types of each surface form in these sentences."""
    forms: dict[str, set[str]] = {}
    for sentence in sentences:
        for entity in sentence.entities:
            forms.setdefault(form_of(entity, sentence), set()).add(entity.type)
    return forms


def distance(relation: Relation) -> int:
    """The number of tokens between the hulls of the two entities."""
    return max(0, relation.tail.start - relation.head.end, relation.head.start - relation.tail.end)


def argument_types(relation: Relation) -> str:
    return f"{relation.head.type} → {relation.tail.type}"


@lru_cache
def range_names(starts: tuple[int, ...]) -> list[str]:
    """Names of ranges, given their starts: `1`, `2`, `3–5`, `6+`."""
    ends = [after - 1 for after in starts[1:]]
    return [str(s) if s == e else f"{s}–{e}" for s, e in zip(starts, ends)] + [f"{starts[-1]}+"]


def range_name(value: int, starts: tuple[int, ...]) -> str:
    """The range that contains a value; values below all ranges belong to the first."""
    return range_names(starts)[max(0, bisect_right(starts, value) - 1)]
