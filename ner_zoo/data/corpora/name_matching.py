"""
Finds names in a text, and names among names, when spellings differ: first verbatim, then without surrounding quotes,
then by letters and digits only, ignoring accents and case. Returns the step that matched, so that it can be counted.
"""

import unicodedata
from collections.abc import Sequence

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
        self._letters: tuple[str, list[int]] | None = None
        self._found: dict[str, tuple[list[Span], str]] = {}

    def occurrences(self, name: str) -> tuple[list[Span], str]:
        """
        All positions of a name, from left to right, and the step that found it; whole words before parts of
        words.
        """
        if name not in self._found:
            self._found[name] = self._search(name)
        return self._found[name]

    def _search(self, name: str) -> tuple[list[Span], str]:
        bare = name.strip(QUOTES)
        inside: list[Span] = []
        for step, spans in (
            (AS_IT_STANDS, self._exact(name)),
            (UNQUOTED, self._exact(bare)),
            (BY_LETTERS, self._by_letters(bare)),
        ):
            whole = [span for span in spans if self._is_whole(span)]
            if whole:
                return whole, step
            inside = inside or spans
        return inside, INSIDE_A_WORD

    def _exact(self, name: str) -> list[Span]:
        spans: list[Span] = []
        start = self.text.find(name) if name else -1
        while start >= 0:
            spans.append((start, start + len(name)))
            start = self.text.find(name, start + len(name))
        return spans

    def _by_letters(self, name: str) -> list[Span]:
        wanted, _ = letters(name)
        if not wanted:
            return []
        if self._letters is None:
            self._letters = letters(self.text)
        folded, places = self._letters
        spans: list[Span] = []
        start = folded.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            spans.append((places[start], self._with_marks(places[end - 1] + 1)))
            start = folded.find(wanted, end)
        return spans

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
        place for place, other in enumerate(folded) if min(len(wanted), len(other)) >= 3 and _contains(wanted, other)
    ]
    return sorted(parts, key=lambda place: abs(len(folded[place]) - len(wanted)))[:1], BY_PART


def _contains(first: str, second: str) -> bool:
    return first in second or second in first
