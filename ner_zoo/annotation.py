"""
What is annotated: entities and relations over the tokens of a sentence.

Plain, frozen Python: corpora make these, views turn them into tensors, models turn tensors back into
these, and metrics compare them. Spans are half-open `[start, end)` and count tokens.
"""

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Entity:
    """A typed mention. Several fragments make it discontinuous; they are in order and do not touch."""

    type: str
    fragments: tuple[Span, ...]

    @classmethod
    def of(cls, type: str, start: int, end: int) -> "Entity":
        """The entity of one fragment."""
        return cls(type, ((start, end),))

    @property
    def start(self) -> int:
        """The first token."""
        return self.fragments[0][0]

    @property
    def end(self) -> int:
        """Just after the last token."""
        return self.fragments[-1][1]

    @property
    def width(self) -> int:
        """Tokens from the first to the last, gaps included."""
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
    entities, relations : the gold annotation; each at most once.
    unknown : positions of tokens nobody has annotated: any label may be right there.
    text, offsets : the raw text of the sentence and each token's characters in it, where the corpus has them.
    text_start : where `text` begins in its document, in characters.
    source : `file:line` of the first token, for messages.
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
        """The text with each token's offsets in it; tokens without a text are joined by one space."""
        if self.text is not None and self.offsets is not None:
            return self.text, self.offsets
        offsets: list[Span] = []
        position = 0
        for token in self.tokens:
            offsets.append((position, position + len(token)))
            position += len(token) + 1
        return " ".join(self.tokens), tuple(offsets)
