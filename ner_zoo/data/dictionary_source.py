"""
Weak labels from dictionaries: finds names with a type in time linear in the text, however many names there are.

    {"type": "dictionary", "files": {"PER": "people.txt", "LOC": "places.txt"}, "case": "ignore"}

An Aho–Corasick automaton runs over the text without its white space. A match counts if it starts and ends at token
boundaries and if name and text have spaces at the same places; next to punctuation, and in scripts without spaces, a
token boundary in place of a space suffices. So "U.S. Army" is found in `U.S. Army` and "U . S ." in `U.S.`, but "an
ice" is not found in `a nice`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora.text_file import lines
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak_source import WITHOUT_SPACES, WeakSource, spaced_text

SPACES = re.compile(r"\s+")
CASES = ("match", "ignore")


@WeakSource.register("dictionary")
class Dictionary(WeakSource):
    """
    files : for each type a file with one name per line, plain or gzip.
    table : file with a name, a TAB and its type on each line.
    case : `match`, or `ignore` to find names in any case.
    min_characters : minimum length of a name.
    priority : as for all sources.
    """

    def __init__(
        self,
        files: dict[str, str] | None = None,
        table: str | None = None,
        case: str = "match",
        min_characters: int = 1,
        priority: int = 0,
    ) -> None:
        super().__init__(priority)
        if not files and table is None:
            raise ConfigurationError("A dictionary has neither files nor a table. Set files: {TYPE: path, …}.")
        if case not in CASES:
            raise ConfigurationError(f"case of a dictionary is {case!r}. Use one of {', '.join(CASES)}.")
        self.files = files or {}
        self.table = table
        self.case = case
        self.min_characters = min_characters

    @cached_property
    def names(self) -> tuple[Any, list[tuple[frozenset[int], str]]]:
        """
        An automaton over the names without their spaces and, for each name, the positions of its spaces and its
        types. Read when the first sentence arrives: using a trained model does not need the dictionary.
        """
        from ahocorasick_rs import AhoCorasick, MatchKind

        known: set[tuple[str, str]] = set()
        compact: list[str] = []
        breaks: list[tuple[frozenset[int], str]] = []
        for path, entries in self._files():
            names = long_names = 0
            for name, type in entries:
                words = SPACES.split(self._folded(name).strip())
                joined = "".join(words)
                names += bool(joined)
                if len(joined) < max(self.min_characters, 1):
                    continue
                long_names += 1
                if (" ".join(words), type) not in known:
                    known.add((" ".join(words), type))
                    compact.append(joined)
                    # The positions of the spaces of the name, counted in other characters.
                    breaks.append((frozenset(accumulate(map(len, words[:-1]))), type))
            if not long_names:
                raise self._no_names(path, names)
        return AhoCorasick(compact, matchkind=MatchKind.Standard, store_patterns=False), breaks

    @overrides
    def find(self, sentences: Sequence[Sentence], repairs: Repairs) -> list[list[Entity]]:
        return [self._found(sentence) for sentence in sentences]

    def _found(self, sentence: Sentence) -> list[Entity]:
        text, offsets = spaced_text(sentence)
        pieces: list[str] = []
        first_at: dict[int, int] = {}
        last_at: dict[int, int] = {}
        gaps: set[int] = set()
        position = previous_end = 0
        for number, (start, end) in enumerate(offsets):
            piece = SPACES.sub("", self._folded(text[start:end]))
            if not piece or start > previous_end:
                gaps.add(position)
            if piece:
                first_at[position] = number
                position += len(piece)
                last_at[position] = number + 1
                pieces.append(piece)
            previous_end = end
        found = []
        automaton, breaks = self.names
        compact = "".join(pieces)
        for name, start, end in automaton.find_matches_as_indexes(compact, overlapping=True):
            if start in first_at and end in last_at:
                wanted, type = breaks[name]
                inside = {place - start for place in range(start + 1, end) if place in gaps}
                joined = [start + place for place in wanted - inside]
                if inside <= wanted and all(at in first_at and not is_one_word(compact, at) for at in joined):
                    found.append(Entity.of(type, first_at[start], last_at[end]))
        return found

    def _folded(self, text: str) -> str:
        """Lower-cases the text if case is ignored; the number of characters stays the same."""
        if self.case == "match":
            return text
        lower = text.lower()
        return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)

    def _files(self) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
        """Every file with its names and their types."""
        for type, path in self.files.items():
            yield path, ((line, type) for _, line in lines(path))
        if self.table is not None:
            yield self.table, _table_entries(self.table)

    def _no_names(self, path: str, names: int) -> ConfigurationError:
        """names : number of names in the file, all of them too short."""
        if names:
            return ConfigurationError(
                f"All names in the dictionary {path} are shorter than min_characters, {self.min_characters}. Lower "
                f"min_characters, or remove the file from the dictionary."
            )
        expected = "a name, a TAB and its type" if path == self.table else "one name"
        return ConfigurationError(
            f"The dictionary {path} contains no names. Write {expected} on each line, or remove the file from the "
            f"dictionary."
        )


def _table_entries(path: str) -> Iterator[tuple[str, str]]:
    for number, line in lines(path):
        name, tab, type = line.rstrip().rpartition("\t")
        if not tab and line.strip():
            raise ConfigurationError(f"{path}:{number} has no TAB. Expected a name, a TAB and its type.")
        yield name, type


def is_one_word(text: str, place: int) -> bool:
    """Whether there would be a space between the characters on both sides if they belonged to two words."""
    return all(side.isalnum() and not WITHOUT_SPACES.match(side) for side in text[place - 1 : place + 1])
