"""
A document as raw text with character-level mentions, and the alignment of mentions to tokens.

Tokens are split wherever a mention starts or ends inside one, so that every mention covers whole tokens. This includes
nested, crossing and discontinuous mentions.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation, Sentence, Span
from ner_zoo.data.repairs import Repairs


@dataclass(frozen=True)
class Mention:
    """An entity on characters: half-open fragments inside the text, in any order. `source` is `file:line`."""

    type: str
    fragments: tuple[Span, ...]
    source: str

    @property
    def hull(self) -> Span:
        return min(start for start, _ in self.fragments), max(end for _, end in self.fragments)


@dataclass(frozen=True)
class Link:
    """A relation between two mentions, given by their keys."""

    type: str
    head: str
    tail: str
    source: str


@dataclass
class AnnotatedText:
    """
    text : the document; all offsets are character offsets in it.
    source : `file:line` of its beginning, for error messages.
    mentions : by key; links refer to these keys.
    unknown : spans without reliable annotation, which may contain unlabelled entities.
    tokens : character spans of the tokens, if the document is tokenised.
    breaks : start offsets of the sentences, if the document is split into sentences.
    has_lines : whether its lines are those of the file, so that each sentence has its own line.
    """

    text: str
    source: str
    mentions: dict[str, Mention] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    unknown: list[Span] = field(default_factory=list)
    tokens: list[Span] | None = None
    breaks: list[int] | None = None
    has_lines: bool = False

    def tidied(self, repairs: Repairs) -> "AnnotatedText":
        """Strips white space from mentions, and removes empty mentions and links to missing mentions."""
        mentions: dict[str, Mention] = {}
        for key, mention in self.mentions.items():
            fragments = tuple(bare for bare in (self._bare(fragment) for fragment in mention.fragments) if bare)
            if fragments:
                mentions[key] = Mention(mention.type, fragments, mention.source)
            else:
                repairs.add("empty entity left out", mention.source)
        links: list[Link] = []
        for link in self.links:
            if link.head in mentions and link.tail in mentions:
                links.append(link)
            else:
                repairs.add("relation to a missing entity left out", link.source)
        return replace(self, mentions=mentions, links=links, unknown=sorted(self.unknown))

    def _bare(self, span: Span) -> Span | None:
        piece = self.text[span[0] : span[1]]
        start = span[1] - len(piece.lstrip())
        end = span[0] + len(piece.rstrip())
        return (start, end) if start < end else None


def cut_tokens(tokens: Iterable[Span], edges: Sequence[int], repairs: Repairs, source: str) -> list[Span]:
    """Splits tokens at the edges (in ascending order) that fall inside one."""
    pieces: list[Span] = []
    number = 0
    for start, end in tokens:
        while number < len(edges) and edges[number] <= start:
            number += 1
        while number < len(edges) and edges[number] < end:
            repairs.add("token split at an entity boundary", source)
            pieces.append((start, edges[number]))
            start = edges[number]
            number += 1
        pieces.append((start, end))
    return pieces


def check_inside(text: str, spans: Iterable[Span], name: str, source: str) -> None:
    """Checks that spans are in order, do not overlap, and are inside the text."""
    reach = 0
    for start, end in spans:
        if not reach <= start < end <= len(text):
            raise ConfigurationError(
                f"{source}: {name} covers characters {start} to {end} of a text of {len(text)} characters, after "
                f"{reach}. "
                "Spans must be half-open, inside the text, and in order."
            )
        reach = end


def joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, without empty ones; adjacent or overlapping ones are merged."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif start < end:
            found.append((start, end))
    return found


class TokenOffsets:
    """The character offsets of a sentence's tokens, for repeated binary search."""

    def __init__(self, offsets: Sequence[Span]) -> None:
        self._starts = [start for start, _ in offsets]
        self._ends = [end for _, end in offsets]

    def inside(self, spans: Iterable[Span]) -> list[Span]:
        """Converts character spans to half-open token spans; adjacent spans are merged."""
        return joined((bisect_right(self._ends, start), bisect_left(self._starts, end)) for start, end in spans)

    def entity(self, mention: Mention, shift: int = 0) -> Entity | None:
        """The entity of a mention in a sentence that starts at character `shift`; `None` if it covers no token."""
        fragments = self.inside((start - shift, end - shift) for start, end in mention.fragments)
        return Entity(mention.type, tuple(fragments)) if fragments else None


def distinct_entities(
    entities: dict[str, Entity | None],
    mentions: dict[str, Mention],
    repairs: Repairs,
) -> tuple[Entity, ...]:
    """The entities in file order, without duplicates."""
    distinct: dict[Entity, None] = {}
    for key, entity in entities.items():
        if entity is None:
            repairs.add("entity without a token left out", mentions[key].source)
        elif entity in distinct:
            repairs.add("repeated entity left out", mentions[key].source)
        else:
            distinct[entity] = None
    return tuple(distinct)


def distinct_relations(
    links: Iterable[Link], entities: dict[str, Entity | None], repairs: Repairs
) -> tuple[Relation, ...]:
    """The relations in file order, without duplicates."""
    distinct: dict[Relation, None] = {}
    for link in links:
        head, tail = entities.get(link.head), entities.get(link.tail)
        if head is None or tail is None:
            repairs.add("relation to a missing entity left out", link.source)
            continue
        relation = Relation(link.type, head, tail)
        if relation in distinct:
            repairs.add("repeated relation left out", link.source)
        else:
            distinct[relation] = None
    return tuple(distinct)


def sentence_on_tokens(document: AnnotatedText, repairs: Repairs) -> Sentence:
    """A document with its own tokens, as one sentence."""
    document = document.tidied(repairs)
    whole, tokens = (0, len(document.text)), document.tokens or ()
    return sentence_in(document, whole, tokens, document.mentions, document.links, repairs, document.source)


def sentence_in(
    document: AnnotatedText,
    span: Span,
    tokens: Iterable[Span],
    mentions: dict[str, Mention],
    links: Iterable[Link],
    repairs: Repairs,
    source: str,
) -> Sentence:
    """A part of a document as one sentence; the offsets of its tokens are relative to the start of `span`."""
    start, end = span
    text = document.text[start:end]
    edges = {edge - start for mention in mentions.values() for fragment in mention.fragments for edge in fragment}
    offsets = cut_tokens(tokens, sorted(edges), repairs, source)
    places = TokenOffsets(offsets)
    entities = {key: places.entity(mention, start) for key, mention in mentions.items()}
    unknown = [(max(s, start) - start, min(e, end) - start) for s, e in document.unknown if s < end and e > start]
    return Sentence(
        tokens=tuple(text[begin:stop] for begin, stop in offsets),
        entities=distinct_entities(entities, mentions, repairs),
        relations=distinct_relations(links, entities, repairs),
        unknown=tuple(token for first, last in places.inside(unknown) for token in range(first, last)),
        text=text,
        offsets=tuple(offsets),
        text_start=start,
        source=source,
    )
