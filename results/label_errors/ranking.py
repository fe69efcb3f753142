"""
Evaluates a ranking of suspected errors, whatever it refers to: entities, relations, tokens or sentences.

A claim is a position. It is right if an error was planted there that no earlier claim has found; a claim about an error
that was already found is ignored, so that a method that names each token of an entity is not penalised. A claim that
counts as wrong may still be a real error of the corpus itself.

    average precision           the mean, over the planted errors, of the precision at the rank that finds each
    precision at the number     the share of right claims among the first, as many as there are planted errors
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

# The target of a claim: positions, any of which may contain an error.
Place = Iterable[Hashable]


@dataclass(frozen=True)
class Quality:
    average_precision: float
    precision_at_planted: float
    found: int
    planted: int


def quality(claims: Iterable[Place], errors: Sequence[Iterable[Hashable]]) -> Quality:
    """claims : most suspicious first. errors : the positions of each planted error."""
    at: dict[Hashable, set[int]] = {}
    for number, places in enumerate(errors):
        for place in places:
            at.setdefault(place, set()).add(number)
    found: set[int] = set()
    rank, total, early = 0, 0.0, 0
    for claim in claims:
        hit = set().union(*(at.get(place, set()) for place in claim))
        new = hit - found
        if hit and not new:
            continue
        rank += 1
        if new:
            found.add(min(new))
            total += len(found) / rank
            early += rank <= len(errors)
    return Quality(total / len(errors), early / len(errors), len(found), len(errors))


def ranked(scores: Mapping[Hashable, float]) -> list[Hashable]:
    return sorted(scores, key=lambda key: -scores[key])
