"""
Finds names in a text, and names among names, when spellings differ: first verbatim, then without surrounding quotes,
then by letters and digits only, ignoring accents and case. Returns the step that matched, so that it can be counted.
"""

import unicodedata
from collections.abc import Sequence
from functools import cached_property

from ner_zoo.annotation import Span

QUOTES = "\"'`“”‘’«»„ \t\r\n"
AS_IT_STANDS = ""
UNQUOTED = "without its quotes"
BY_LETTERS = "by its letters alone"
BY_PART = "by some of its letters"
INSIDE_A_WORD = "inside a word"


def letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text in lower case without accents, and the position of each."""
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character).casefold():
            if part.isalnum():
                kept.append(part)
                places.append(place)
    return "".join(kept), places


class NamesInText:
    """The occurrences of names in one text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        return letters(self.text)

    def occurrences(self, name: str) -> tuple[list[Span], str]:
        """
        All positions of a name, from left to right, and the step that found it; whole words before parts of
        words.
        """
        bare = name.strip(QUOTES)
        inside: list[Span] = []
        for step, find, wanted in (
            (AS_IT_STANDS, self._exact, name),
            (UNQUOTED, self._exact, bare),
            (BY_LETTERS, self._by_letters, bare),
        ):
            spans = find(wanted)
            whole = [span for span in spans if self._is_whole(span)]
            if whole:
                return whole, step
            inside = inside or spans
        return inside, INSIDE_A_WORD

    def _exact(self, name: str) -> list[Span]:
        return _found(name, self.text)

    def _by_letters(self, name: str) -> list[Span]:
        folded, places = self._letters
        found = _found(letters(name)[0], folded)
        return [(places[start], self._with_marks(places[end - 1] + 1)) for start, end in found]

    def _with_marks(self, end: int) -> int:
        """The end, moved past any combining marks that follow."""
        while end < len(self.text) and unicodedata.combining(self.text[end]):
            end += 1
        return end

    def _is_whole(self, span: Span) -> bool:
        """Whether both ends are at word boundaries."""
        start, end = span
        begins_inside = start > 0 and self.text[start - 1].isalnum() and self.text[start].isalnum()
        ends_inside = end < len(self.text) and self.text[end].isalnum() and self.text[end - 1].isalnum()
        return not begins_inside and not ends_inside


def _found(wanted: str, text: str) -> list[Span]:
    """The occurrences of a string, which do not overlap; none of an empty string."""
    spans: list[Span] = []
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        spans.append((start, start + len(wanted)))
        start = text.find(wanted, start + len(wanted))
    return spans


def matching_names(name: str, names: Sequence[str]) -> tuple[list[int], str]:
    """The indices in a list of names that match the given one, and the step that found them."""
    found = [place for place, other in enumerate(names) if other == name]
    if found:
        return found, AS_IT_STANDS
    bare = name.strip(QUOTES)
    found = [place for place, other in enumerate(names) if other.strip(QUOTES) == bare]
    if found:
        return found, UNQUOTED
    wanted = letters(name)[0]
    folded = [letters(other)[0] for other in names]
    found = [place for place, other in enumerate(folded) if wanted and other == wanted]
    if found:
        return found, BY_LETTERS
    parts = [
        place
        for place, other in enumerate(folded)
        if min(len(wanted), len(other)) >= 3 and (wanted in other or other in wanted)
    ]
    return sorted(parts, key=lambda place: abs(len(folded[place]) - len(wanted)))[:1], BY_PART
