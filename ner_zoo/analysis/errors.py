"""
Assigns each annotation its outcome: correct, one class of error, missed, or spurious.

Annotations that are equal on both sides are correct. The remaining predictions are matched to at most one gold
annotation each, most similar first (see `entity_likeness`, `relation_likeness`). Unmatched annotations are missed or
spurious. So every annotation has exactly one outcome, and a paired outcome counts once on each side.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from ner_zoo.analysis.analysis import CORRECT, MISSED, NONE, SPURIOUS
from ner_zoo.annotation import Entity, Relation

Annotation = TypeVar("Annotation", Entity, Relation)
# The name of an error, its rank (lower comes first), and the similarity.
Likeness = tuple[str, int, float]


@dataclass(frozen=True)
class Outcome(Generic[Annotation]):
    """The name of the outcome and its annotations; one side is `None` if it is missed or spurious."""

    name: str
    gold: Annotation | None
    predicted: Annotation | None


def outcomes(
    gold: Iterable[Annotation],
    predicted: Iterable[Annotation],
    likeness: Callable[[Annotation, Annotation], Likeness | None],
) -> list[Outcome[Annotation]]:
    """The outcomes of one sentence."""
    wanted, found = dict.fromkeys(gold), dict.fromkeys(predicted)
    result = [Outcome(CORRECT, one, one) for one in wanted if one in found]
    left = {i: one for i, one in enumerate(wanted) if one not in found}
    extra = {j: one for j, one in enumerate(found) if one not in wanted}
    possible = []
    for i, one in left.items():
        for j, other in extra.items():
            alike = likeness(one, other)
            if alike is not None:
                name, rank, similarity = alike
                possible.append((rank, -similarity, i, j, name))
    for _, _, i, j, name in sorted(possible):
        if i in left and j in extra:
            result.append(Outcome(name, left.pop(i), extra.pop(j)))
    result += [Outcome(MISSED, one, None) for one in left.values()]
    result += [Outcome(SPURIOUS, None, one) for one in extra.values()]
    return result


def tokens_of(entity: Entity) -> frozenset[int]:
    return frozenset(token for start, end in entity.fragments for token in range(start, end))


def shared(first: Entity, second: Entity) -> float:
    """The Jaccard similarity of the tokens."""
    if first.end <= second.start or second.end <= first.start:
        return 0.0
    one, other = tokens_of(first), tokens_of(second)
    return len(one & other) / len(one | other)


def entity_likeness(gold: Entity, predicted: Entity) -> Likeness | None:
    """Ranks same tokens first, then the same type on overlapping tokens, then any overlap."""
    if gold.fragments == predicted.fragments:
        return "type", 0, 1.0
    alike = shared(gold, predicted)
    if not alike:
        return None
    return ("boundary", 1, alike) if gold.type == predicted.type else ("both", 2, alike)


def relation_likeness(gold: Relation, predicted: Relation) -> Likeness | None:
    """Ranks the same two entities first; then the same type with one right entity, or with both overlapping."""
    same_type = gold.type == predicted.type
    if (gold.head, gold.tail) == (predicted.tail, predicted.head):
        return ("direction", 0, 1.0) if same_type else ("label", 2, 1.0)
    if (gold.head, gold.tail) == (predicted.head, predicted.tail):
        return "label", 1, 1.0
    if not same_type:
        return None
    head, tail = shared(gold.head, predicted.head), shared(gold.tail, predicted.tail)
    is_one_right = gold.head == predicted.head or gold.tail == predicted.tail
    return ("argument", 3, head + tail) if is_one_right or (head and tail) else None


def entity_outcomes(gold: Iterable[Entity], predicted: Iterable[Entity]) -> list[Outcome[Entity]]:
    return outcomes(gold, predicted, entity_likeness)


def relation_outcomes(gold: Iterable[Relation], predicted: Iterable[Relation]) -> list[Outcome[Relation]]:
    return outcomes(gold, predicted, relation_likeness)


def confusion(some: Iterable[Outcome]) -> tuple[list[str], np.ndarray]:
    """The types and `none`, and the confusion matrix of gold types and matched predicted types."""
    pairs = Counter((one.gold.type if one.gold else "", one.predicted.type if one.predicted else "") for one in some)
    types = sorted({type for pair in pairs for type in pair if type})
    number = {type: i for i, type in enumerate([*types, ""])}
    matrix = np.zeros((len(number), len(number)), dtype=np.int64)
    for (gold, predicted), count in pairs.items():
        matrix[number[gold], number[predicted]] = count
    return [*types, NONE], matrix
