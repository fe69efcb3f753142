"""
A source of weak labels: finds entities in sentences, possibly wrong or incomplete ones.

Sources use the text of a sentence. For a sentence that only has tokens, the text is reconstructed: with spaces between
tokens, but not around characters of scripts without spaces, and not at all if every token is a single character, as in
Chinese corpora.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import regex
from allennlp.common import Registrable

from ner_zoo.annotation import Entity, Sentence, Span
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.token_rules import KATAKANA, UNSPACED

WITHOUT_SPACES = regex.compile(rf"[{UNSPACED}]|{KATAKANA}", regex.VERSION1)


class WeakSource(Registrable):
    """
    Base class: one subclass per kind of source, in the packages `data` and `predictors`.

    priority : if entities of two sources overlap, the source with the higher priority wins.
    """

    def __init__(self, priority: int = 0) -> None:
        self.priority = priority

    def find(self, sentences: Sequence[Sentence], repairs: Repairs) -> list[list[Entity]]:
        """The entities of each sentence, in any order; they may overlap."""
        raise NotImplementedError


class SpacedText(NamedTuple):
    """A text and the character offsets of its tokens."""

    text: str
    offsets: tuple[Span, ...]

    def entity(self, type: str, start: int, end: int) -> Entity | None:
        """The entity on these characters, if they start and end at token boundaries."""
        first = bisect_left(self.offsets, start, key=lambda span: span[0])
        last = bisect_left(self.offsets, end, key=lambda span: span[1])
        is_whole = first <= last < len(self.offsets) and (self.offsets[first][0], self.offsets[last][1]) == (start, end)
        return Entity.of(type, first, last + 1) if is_whole else None


def spaced_text(sentence: Sentence) -> SpacedText:
    if sentence.text is not None and sentence.offsets is not None:
        return SpacedText(sentence.text, sentence.offsets)
    is_spaced = any(len(token) > 1 for token in sentence.tokens)
    pieces: list[str] = []
    offsets: list[Span] = []
    position = 0
    before = ""
    for token in sentence.tokens:
        if is_spaced and before and not (WITHOUT_SPACES.match(before) or WITHOUT_SPACES.match(token[:1])):
            pieces.append(" ")
            position += 1
        pieces.append(token)
        offsets.append((position, position + len(token)))
        position += len(token)
        before = token[-1:]
    return SpacedText("".join(pieces), tuple(offsets))
