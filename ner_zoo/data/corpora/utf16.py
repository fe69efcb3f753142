"""
Offsets that count UTF-16 units, as Java and JavaScript do: a character above U+FFFF, such as an emoji, counts twice.
"""

from itertools import accumulate


def positions(text: str) -> dict[int, int]:
    """From each offset in UTF-16 units at which a character begins, or the text ends, to the one in characters."""
    units = (2 if character > "\uffff" else 1 for character in text)
    return {offset: place for place, offset in enumerate(accumulate(units, initial=0))}


def length(text: str) -> int:
    """The length in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)
