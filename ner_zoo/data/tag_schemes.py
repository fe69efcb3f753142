"""
Tag schemes: conversion of entities to tags and back, and valid transitions.

A tag is a prefix and a type, split at the first hyphen: `B-creative-work`. The six schemes differ only in the prefixes
they write. All are read by one rule, conlleval's, which interprets any sequence of tags, well-formed or not:

    a chunk starts at a tag  <=>  the tag is not O, and it is a B or a single, or the previous tag cannot be continued
                                  (O, a last, a single, another type, or the start of the sentence)
"""

from collections.abc import Collection, Iterable, Sequence

from ner_zoo.annotation import Entity
from ner_zoo.platform.configuration_error import ConfigurationError

OUTSIDE = "O"

# The meaning of each prefix: begin, inside, last, unit. The schemes spell the last three differently.
_ROLE = {"B": "B", "I": "I", "M": "I", "L": "L", "E": "L", "U": "U", "S": "U", "O": "O"}

# The prefixes that a scheme writes: (single, first, middle, last).
_SPELLING: dict[str, tuple[str, str, str, str]] = {
    "IO": ("I", "I", "I", "I"),
    "IOB1": ("I", "I", "I", "I"),
    "BIO": ("B", "B", "I", "I"),
    "BIOUL": ("U", "B", "I", "L"),
    "BIOES": ("S", "B", "I", "E"),
    "BMES": ("S", "B", "M", "E"),
}
SCHEMES = tuple(_SPELLING)


def split_tag(tag: str) -> tuple[str, str]:
    """`B-geo-loc` -> `("B", "geo-loc")`; a bare type such as `PERSON` counts as inside."""
    if tag in (OUTSIDE, ""):
        return OUTSIDE, ""
    prefix, hyphen, type = tag.partition("-")
    if hyphen and prefix in _ROLE and prefix != OUTSIDE:
        return prefix, type
    if tag in _ROLE:
        return tag, ""
    return "I", tag


def check_scheme(scheme: str) -> str:
    if scheme not in _SPELLING:
        raise ConfigurationError(f"There is no tag scheme {scheme!r}. Use one of {', '.join(SCHEMES)}.")
    return scheme


def tags_from_entities(entities: Iterable[Entity], length: int, scheme: str) -> list[str]:
    """The tags of contiguous, non-overlapping entities. (IO merges adjacent entities of one type.)"""
    single, first, middle, last = _SPELLING[check_scheme(scheme)]
    tags = [OUTSIDE] * length
    previous_end, previous_type = -1, ""
    for entity in sorted(entities, key=lambda e: e.start):
        start, end, type = entity.start, entity.end, entity.type
        if end - start == 1:
            tags[start] = f"{single}-{type}"
        else:
            tags[start] = f"{first}-{type}"
            tags[start + 1 : end - 1] = [f"{middle}-{type}"] * (end - start - 2)
            tags[end - 1] = f"{last}-{type}"
        if scheme == "IOB1" and previous_end == start and previous_type == type:
            tags[start] = f"B-{type}"
        previous_end, previous_type = end, type
    return tags


def begins(previous: tuple[str, str], current: tuple[str, str]) -> bool:
    """Whether a chunk starts at `current`; both are (prefix, type)."""
    role = _ROLE[current[0]]
    if role == "O":
        return False
    return role in "BU" or _ROLE[previous[0]] not in "BI" or previous[1] != current[1]


def entities_from_tags(tags: Sequence[str]) -> list[Entity]:
    """The chunks of a tag sequence of any scheme, by conlleval's rules."""
    entities: list[Entity] = []
    start, previous = -1, (OUTSIDE, "")
    for position, tag in enumerate((*tags, OUTSIDE)):
        if tag == OUTSIDE and start < 0:  # by far the most frequent case
            continue
        current = split_tag(tag)
        if current[0] == OUTSIDE or begins(previous, current):
            if start >= 0:
                entities.append(Entity.of(previous[1], start, position))
            start = position if current[0] != OUTSIDE else -1
        previous = current
    return entities


def may_follow(scheme: str, previous: tuple[str, str], current: tuple[str, str]) -> bool:
    """Whether `current` may follow `previous` in a well-formed sequence; O represents the sentence boundaries."""
    before, after = _ROLE[previous[0]], _ROLE[current[0]]
    same = previous[1] == current[1]
    if scheme == "IO":
        return True
    if scheme == "IOB1":
        return after != "B" or (before in "BI" and same)
    if scheme == "BIO":
        return after != "I" or (before in "BI" and same)
    if before in "BI":
        return after in "IL" and same
    return after in "OBU"


def ill_formed(tags: Sequence[str], scheme: str) -> list[int]:
    """The positions whose tag may not follow the previous one, or may not be last."""
    check_scheme(scheme)
    parts = [(OUTSIDE, "")] + [split_tag(tag) for tag in tags] + [(OUTSIDE, "")]
    spelt = set(_SPELLING[scheme]) | {"B", OUTSIDE} if scheme != "IO" else {"I", OUTSIDE}
    wrong = {i for i in range(len(tags) + 1) if not may_follow(scheme, parts[i], parts[i + 1])}
    wrong |= {i for i in range(len(tags)) if parts[i + 1][0] not in spelt}
    return sorted({min(i, len(tags) - 1) for i in wrong})


def detect_scheme(sequences: Iterable[Sequence[str]]) -> str:
    """The scheme that explains the sequences with the fewest ill-formed tags; BIO if in doubt."""
    sequences = [tags for tags in sequences if any(tag != OUTSIDE for tag in tags)]
    prefixes = {split_tag(tag)[0] for tags in sequences for tag in tags} - {OUTSIDE}
    if prefixes & {"U", "L"}:
        return "BIOUL"
    if "M" in prefixes:
        return "BMES"
    if prefixes & {"E", "S"}:
        return "BIOES"
    if prefixes == {"I"}:
        return "IO"
    violations = {scheme: sum(len(ill_formed(tags, scheme)) for tags in sequences) for scheme in ("BIO", "IOB1")}
    return "IOB1" if violations["IOB1"] < violations["BIO"] else "BIO"


def unholdable_entity(entities: Sequence[Entity], length: int, scheme: str, names: Collection[str]) -> Entity | None:
    """The first entity that needs a tag missing from `names`, or that would merge with its neighbour (scheme IO)."""
    tags = tags_from_entities(entities, length, scheme)
    read = set(entities_from_tags(tags))
    return next((e for e in entities if e not in read or not set(tags[e.start : e.end]) <= set(names)), None)
