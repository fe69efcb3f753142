"""
Offsets in UTF-16 units, as in Java and JavaScript: a character above U+FFFF, such as an emoji, counts twice.
"""

from itertools import accumulate


def positions(text: str) -> dict[int, int]:
    """Maps each UTF-16 offset where a character starts, or the text ends, to the character offset."""
    units = (2 if character > "\uffff" else 1 for character in text)
    return {offset: place for place, offset in enumerate(accumulate(units, initial=0))}


def length(text: str) -> int:
    """The length in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)
