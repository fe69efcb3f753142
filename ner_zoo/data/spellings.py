"""
The spellings of a word, from the original to plainer forms.

    #ZAGREB  ->  #ZAGREB, #zagreb, ZAGREB, zagreb, Zagreb
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_URL = re.compile(r"(https?:|www\.)", re.IGNORECASE)
_RUN = re.compile(r"(.)\1{2,}")
_DIGIT = re.compile(r"\d")
_OUTER = re.compile(r"^\W+|\W+$")
_APOSTROPHE = re.compile(r"['’`]")
_SYMBOLS = re.compile(r"^\W+$")


def _plainer(word: str) -> Iterator[str]:
    """Plainer forms of the word, closest first."""
    if _URL.match(word):
        yield from ("<url>", "http", "url")
    elif word.startswith("@") and len(word) > 1:
        # Not the name after it, which would be a different word.
        yield from ("<user>", "@")
    else:
        yield unicodedata.normalize("NFKC", html.unescape(word))
        yield _OUTER.sub("", word)
        yield _RUN.sub(r"\1\1", word)
        yield _RUN.sub(r"\1", word)
        yield _APOSTROPHE.split(word)[0]
        yield _DIGIT.sub("0", word)
        yield _DIGIT.sub("#", word)
        yield word.rpartition("-")[2]
        yield word.partition("-")[0]
        if _SYMBOLS.match(word):
            yield word[0]


@lru_cache(maxsize=1 << 16)
def spellings(word: str) -> tuple[str, ...]:
    """The spellings of a word, best first: itself, lower-cased, capitalised, and the same for its plainer forms."""
    found: dict[str, None] = {}
    for shape in (word, *_plainer(word)):
        if shape:
            found.update(dict.fromkeys((shape, shape.lower(), shape.capitalize())))
    return tuple(found)
