"""
Annotation: entities and relations over the tokens of a sentence.

Plain, frozen dataclasses: corpora create them, views convert them to tensors, models convert tensors back, and metrics
compare them. Spans are half-open `[start, end)` and count tokens.
"""

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Entity:
    """A typed mention. It is discontinuous if it has several fragments, which are in order and not adjacent."""

    type: str
    fragments: tuple[Span, ...]

    @classmethod
    def of(cls, type: str, start: int, end: int) -> "Entity":
        """An entity with one fragment."""
        return cls(type, ((start, end),))

    @property
    def start(self) -> int:
        """The first token."""
        return self.fragments[0][0]

    @property
    def end(self) -> int:
        """The token after the last one."""
        return self.fragments[-1][1]

    @property
    def width(self) -> int:
        """The number of tokens from the first to the last, including gaps."""
        return self.end - self.start

    @property
    def is_discontinuous(self) -> bool:
        """Whether it has more than one fragment."""
        return len(self.fragments) > 1


@dataclass(frozen=True)
class Relation:
    """A typed, directed link between two entities of one sentence."""

    type: str
    head: Entity
    tail: Entity


@dataclass(frozen=True)
class Sentence:
    """
    tokens : the words.
    entities, relations : the gold annotation, without duplicates.
    unknown : positions of tokens without annotation, where any label may be correct.
    text, offsets : the raw text of the sentence and the character offsets of its tokens, if the corpus has them.
    text_start : the character offset of `text` in its document.
    source : `file:line` of the first token, for error messages.
    """

    tokens: tuple[str, ...]
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    unknown: tuple[int, ...] = ()
    text: str | None = None
    offsets: tuple[Span, ...] | None = None
    text_start: int = 0
    source: str = ""

    def characters(self) -> tuple[str, tuple[Span, ...]]:
        """The text with the character offsets of its tokens; without a text, tokens are joined by spaces."""
        if self.text is not None and self.offsets is not None:
            return self.text, self.offsets
        offsets: list[Span] = []
        position = 0
        for token in self.tokens:
            offsets.append((position, position + len(token)))
            position += len(token) + 1
        return " ".join(self.tokens), tuple(offsets)
