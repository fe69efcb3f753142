"""
Discontinuous entities from their parts: spans of one type, and links from each part to the next.

An entity is a path that begins at a part nothing leads to and ends at one that leads nowhere. Entities may share parts:
of "left and right hand", `left -> hand` is one. A part without a link is not an entity.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ner_zoo.annotation import Entity
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.data.span_labels import PART

Link = tuple[int, int]
Path = tuple[int, ...]

# Links that a model has not learnt yet may make exponentially many paths.
MOST_PATHS = 64


def paths(parts: Collection[int], links: Iterable[Link]) -> list[Path]:
    """The ways through the links between `parts`, each with two parts or more. Links go from left to right."""
    after: dict[int, list[int]] = {}
    entered: set[int] = set()
    for before, behind in sorted(set(links)):
        if before in parts and behind in parts:
            after.setdefault(before, []).append(behind)
            entered.add(behind)
    starts = [part for part in sorted(after) if part not in entered]
    return list(islice((path for start in starts for path in _paths_from((start,), after)), MOST_PATHS))


def _paths_from(path: Path, after: dict[int, list[int]]) -> Iterator[Path]:
    if path[-1] not in after:
        yield path
    for part in after.get(path[-1], ()):
        yield from _paths_from((*path, part), after)


def whole(type: str, path: Path, spans: Sequence[Fragments] | Mapping[int, Fragments]) -> Entity:
    """The entity whose parts, of the marked `type`, a path goes through."""
    return Entity(type.removesuffix(PART), tuple(fragment for place in path for fragment in spans[place]))
