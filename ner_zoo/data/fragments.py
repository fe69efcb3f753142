"""
Assembles discontinuous entities from parts: spans of one type, and links from each part to the next.

An entity is a path that starts at a part without an incoming link and ends at a part without an outgoing one. Entities
may share parts: in "left and right hand", `left -> hand` is one entity. A part without a link is not an entity.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ner_zoo.annotation import Entity
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.data.span_labels import PART

Link = tuple[int, int]
Path = tuple[int, ...]

# The links of an untrained model can form exponentially many paths.
MOST_PATHS = 64


def paths(parts: Collection[int], links: Iterable[Link]) -> list[Path]:
    """The paths through the links between `parts`, each with at least two parts. Links go from left to right."""
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
    """The entity whose parts, labelled with the part type `type`, are on a path."""
    return Entity(type.removesuffix(PART), tuple(fragment for place in path for fragment in spans[place]))
