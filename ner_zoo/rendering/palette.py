"""
Assigns colours to types: common types always have the same colour; others get one by hash of their name, or the next
free one.

Colours are indices of the classes `nz-c0`, `nz-c1`, ... in `annotation.css`, chosen to be distinguishable and readable
in both themes.
"""

from collections.abc import Iterable
from zlib import crc32

COLOURS = 12

USUAL = {
    0: ("per", "person", "people", "peop", "spk"),
    1: ("loc", "location", "gpe", "place", "city", "country"),
    2: ("org", "organization", "organisation", "company", "corporation", "group"),
    3: ("prod", "product", "artifact"),
    4: ("misc", "norp", "other"),
    5: ("date", "time"),
    6: ("fac", "facility", "building"),
    7: ("event",),
    8: ("creative-work", "work_of_art", "work"),
    9: ("dna", "gene", "protein", "rna"),
    10: ("money", "percent", "quantity", "cardinal", "ordinal"),
    11: ("adr", "disease", "symptom", "drug"),
}
BY_NAME = {name: colour for colour, names in USUAL.items() for name in names}


def colours(types: Iterable[str]) -> dict[str, int]:
    """
    A colour for each type; two types share one only if there are more types than colours, or if they are
    synonyms.
    """
    chosen: dict[str, int] = {}
    unusual = []
    for type in sorted(set(types)):
        if type.lower() in BY_NAME:
            chosen[type] = BY_NAME[type.lower()]
        else:
            unusual.append(type)
    taken = set(chosen.values())
    for type in unusual:
        wish = crc32(type.encode("utf-8", "replace")) % COLOURS
        free = [colour % COLOURS for colour in range(wish, wish + COLOURS) if colour % COLOURS not in taken]
        chosen[type] = free[0] if free else wish
        taken.add(chosen[type])
    return chosen
