"""
How good a ranking of suspected errors is, whatever it points at: entities, relations, tokens or sentences.

A claim is a place. It is right if an error was planted there that no claim before it has found; a claim at an error
that is found already is passed over, so that a method that names each token of an entity is not punished for it. What
is counted wrong may still be an error, of the corpus itself.

    average precision           the mean, over the planted errors, of the precision at the rank that finds each
    precision at the number     the share of right claims among the first, as many as there are planted errors
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

# What a claim points at: places, at any of which an error may be.
Place = Iterable[Hashable]


@dataclass(frozen=True)
class Quality:
    average_precision: float
    precision_at_planted: float
    found: int
    planted: int


def quality(claims: Iterable[Place], errors: Sequence[Iterable[Hashable]]) -> Quality:
    """claims : the most suspicious first. errors : the places of each planted error."""
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
