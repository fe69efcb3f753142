"""
Tag schemes as tables: entities to tags, tags to entities, and which tag may follow which.

A tag is a prefix and a type, split at the first hyphen: `B-creative-work`. Six schemes differ only in the prefixes they
write; all of them are read by one rule, conlleval's, which gives every sequence of tags a meaning, well-formed or not:

    a chunk begins at a tag  <=>  the tag is not O, and it is a B or a single, or the tag before it cannot be continued
                                  (O, a last, a single, another type, or the start of the sentence)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Dict, Iterable, List, Sequence, Tuple

import numpy as np
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity

OUTSIDE = "O"

# What each prefix means: begin, inside, last, unit. The schemes spell the last three differently.
_ROLE = {"B": "B", "I": "I", "M": "I", "L": "L", "E": "L", "U": "U", "S": "U", "O": "O"}

# The prefixes a scheme writes: (single, first, middle, last).
_SPELLING: Dict[str, Tuple[str, str, str, str]] = {
    "IO": ("I", "I", "I", "I"),
    "IOB1": ("I", "I", "I", "I"),
    "BIO": ("B", "B", "I", "I"),
    "BIOUL": ("U", "B", "I", "L"),
    "BIOES": ("S", "B", "I", "E"),
    "BMES": ("S", "B", "M", "E"),
}
SCHEMES = tuple(_SPELLING)


def split_tag(tag: str) -> Tuple[str, str]:
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


def tags_from_entities(entities: Iterable[Entity], length: int, scheme: str) -> List[str]:
    """The tags of contiguous entities that do not overlap. (IO cannot part neighbours of one type: they melt.)"""
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


def _begins(previous: Tuple[str, str], current: Tuple[str, str]) -> bool:
    """Whether a chunk begins at `current`; both are (prefix, type)."""
    role = _ROLE[current[0]]
    if role == "O":
        return False
    return role in "BU" or _ROLE[previous[0]] not in "BI" or previous[1] != current[1]


def entities_from_tags(tags: Sequence[str]) -> List[Entity]:
    """The chunks of a sequence of tags of any scheme, by conlleval's rules."""
    entities: List[Entity] = []
    start, previous = -1, (OUTSIDE, "")
    for position, tag in enumerate(tags):
        if tag == OUTSIDE:  # by far the most frequent tag
            if start >= 0:
                entities.append(Entity.of(previous[1], start, position))
                start = -1
            previous = (OUTSIDE, "")
            continue
        current = split_tag(tag)
        if current[0] == OUTSIDE or _begins(previous, current):
            if start >= 0:
                entities.append(Entity.of(previous[1], start, position))
            start = position if current[0] != OUTSIDE else -1
        previous = current
    if start >= 0:
        entities.append(Entity.of(previous[1], start, len(tags)))
    return entities


def _may_follow(scheme: str, previous: Tuple[str, str], current: Tuple[str, str]) -> bool:
    """Whether a well-formed sequence may go on from `previous` to `current`; O stands for the sentence's borders."""
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


def ill_formed(tags: Sequence[str], scheme: str) -> List[int]:
    """The positions whose tag may not follow the one before it, or may not be the last."""
    check_scheme(scheme)
    if not any(tag != OUTSIDE for tag in tags):
        return []
    parts = [(OUTSIDE, "")] + [split_tag(tag) for tag in tags] + [(OUTSIDE, "")]
    spelt = set(_SPELLING[scheme]) | {"B", OUTSIDE} if scheme != "IO" else {"I", OUTSIDE}
    wrong = {i for i in range(len(tags) + 1) if not _may_follow(scheme, parts[i], parts[i + 1])}
    wrong |= {i for i in range(len(tags)) if parts[i + 1][0] not in spelt}
    return sorted({min(i, len(tags) - 1) for i in wrong})


def detect_scheme(sequences: Iterable[Sequence[str]]) -> str:
    """The scheme that explains the sequences with the fewest ill-formed tags; BIO where nothing decides."""
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


@dataclass(frozen=True)
class TagTable:
    """
    The labels of a tagger as tables over label numbers, for constraints, decoding and entity marginals.

    names : the tags, by number.
    scheme : the scheme whose legal transitions are meant.
    """

    names: Tuple[str, ...]
    scheme: str

    @classmethod
    def of(cls, tags: Sequence[str], scheme: str = "") -> "TagTable":
        """The table of `tags`; without a scheme, the one that their prefixes show."""
        return cls(tuple(tags), check_scheme(scheme) if scheme else detect_scheme([[tag] for tag in tags]))

    @cached_property
    def parts(self) -> List[Tuple[str, str]]:
        return [split_tag(tag) for tag in self.names]

    @property
    def background(self) -> int:
        """The number of `O`, -1 if there is none."""
        return self.names.index(OUTSIDE) if OUTSIDE in self.names else -1

    @cached_property
    def types(self) -> List[str]:
        return sorted({type for prefix, type in self.parts if prefix != OUTSIDE})

    @cached_property
    def type_of(self) -> np.ndarray:
        """`(tags,)`: the number of each tag's type in `types`, -1 for O."""
        return np.array([-1 if p == OUTSIDE else self.types.index(t) for p, t in self.parts], dtype=np.int64)

    @cached_property
    def begins(self) -> np.ndarray:
        """`(tags + 1, tags)`: whether a step from one tag to another begins a chunk; the last row is the start."""
        before = self.parts + [(OUTSIDE, "")]
        return np.array([[_begins(p, c) for c in self.parts] for p in before], dtype=bool)

    @cached_property
    def continues(self) -> np.ndarray:
        """`(tags, tags)`: whether going from one tag to another stays in the same chunk."""
        return ~self.begins[:-1] & (self.type_of >= 0)[None, :]

    @cached_property
    def legal(self) -> np.ndarray:
        """`(tags, tags)`: whether the scheme lets one tag follow another."""
        return np.array([[_may_follow(self.scheme, p, c) for c in self.parts] for p in self.parts], dtype=bool)

    @cached_property
    def legal_start(self) -> np.ndarray:
        return np.array([_may_follow(self.scheme, (OUTSIDE, ""), tag) for tag in self.parts], dtype=bool)

    @cached_property
    def legal_end(self) -> np.ndarray:
        return np.array([_may_follow(self.scheme, tag, (OUTSIDE, "")) for tag in self.parts], dtype=bool)

    def chunks(self, labels: np.ndarray, mask: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """
        The chunks of a batch of labellings `(batch, length)`, as parallel arrays: sentence, start, end, type number.
        They come sentence by sentence, from left to right.
        """
        batch, length = labels.shape
        boundary = np.full((batch, 1), len(self.names), dtype=labels.dtype)
        before = np.concatenate([boundary, labels[:, :-1]], axis=1)
        begins = self.begins[before, labels] & mask
        goes_on = np.zeros((batch, length), dtype=bool)
        goes_on[:, :-1] = self.continues[labels[:, :-1], labels[:, 1:]] & mask[:, 1:]
        ends = (self.type_of[labels] >= 0) & mask & ~goes_on
        sentence, start = np.nonzero(begins)
        return sentence, start, np.nonzero(ends)[1] + 1, self.type_of[labels[sentence, start]]

    def entities(self, labels: np.ndarray, mask: np.ndarray) -> List[List[Entity]]:
        """The entities of each sentence of a batch of labellings."""
        found: List[List[Entity]] = [[] for _ in range(labels.shape[0])]
        sentence, start, end, type = (column.tolist() for column in self.chunks(labels, mask))
        for i, s, e, t in zip(sentence, start, end, type):
            found[i].append(Entity.of(self.types[t], s, e))
        return found
