"""
A document as raw text with mentions on its characters, and how it becomes sentences of tokens.

No sentence ends inside a mention, and no token reaches over a mention's edge (it is cut there), so that every mention is
exactly a set of tokens: nested, crossing and discontinuous ones alike. Each sentence keeps its text, its place in the
document and its tokens' characters:

    document[sentence.text_start + start : sentence.text_start + end] == token
"""

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Dict, Iterable, Iterator, List, Optional, Tuple

from allennlp.data.tokenizers import Tokenizer

from ner_zoo.annotation import Entity, Relation, Sentence, Span
from ner_zoo.data.corpora.corpus import Corpus, Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter


@dataclass(frozen=True)
class Mention:
    """An entity on characters: fragments are half-open and inside the text, in any order. `source` is `file:line`."""

    type: str
    fragments: Tuple[Span, ...]
    source: str

    @property
    def hull(self) -> Span:
        return min(start for start, _ in self.fragments), max(end for _, end in self.fragments)


@dataclass(frozen=True)
class Link:
    """A relation between two mentions, by their keys."""

    type: str
    head: str
    tail: str
    source: str


@dataclass
class AnnotatedText:
    """
    text : the document; all offsets count its characters.
    mentions : by key; links refer to these.
    unknown : stretches nobody vouches for; what is not annotated there may still be an entity.
    file : for messages.
    """

    text: str
    file: str
    mentions: Dict[str, Mention] = field(default_factory=dict)
    links: List[Link] = field(default_factory=list)
    unknown: List[Span] = field(default_factory=list)


class RawTextCorpus(Corpus):
    """
    tokenizer, sentence_splitter : how raw text becomes tokens and sentences; each corpus has a default.
    encoding : of the files; by default it is found out.
    join_related : no sentence ends between the two arguments of a relation, so that every relation is kept; else those
        that run from one sentence to another are left out and counted.
    """

    join_related_by_default = False

    def __init__(
        self,
        tokenizer: Optional[Tokenizer] = None,
        sentence_splitter: Optional[SentenceSplitter] = None,
        encoding: Optional[str] = None,
        join_related: Optional[bool] = None,
    ) -> None:
        self.text_tokenizer = tokenizer or Tokenizer.by_name(self.tokenizer)()
        self.text_splitter = sentence_splitter or SentenceSplitter.by_name(self.sentence_splitter)()
        self.encoding = encoding
        self.join_related = self.join_related_by_default if join_related is None else join_related

    def sentences_of(self, document: AnnotatedText, repairs: Repairs) -> Iterator[Sentence]:
        """The sentences of one document, with everything that is annotated in it."""
        protected = [mention.hull for mention in document.mentions.values()]
        if self.join_related:
            protected += [_hull_of_both(link, document.mentions) for link in document.links]
        spans = self.text_splitter.split_keeping(document.text, protected)
        starts = [start for start, _ in spans]
        mentions = _by_sentence(document, starts, repairs)
        links = _links_by_sentence(document, starts, repairs)
        unknown = sorted(document.unknown)
        lines = _LineNumbers(document.text)
        for number, (start, end) in enumerate(spans):
            source = f"{document.file}:{lines.at(start)}"
            text = document.text[start:end]
            keyed = mentions.get(number, {})
            offsets = self._offsets(text, start, keyed.values(), repairs, source)
            entities = {key: _entity(mention, start, offsets) for key, mention in keyed.items()}
            yield Sentence(
                tokens=tuple(text[begin:stop] for begin, stop in offsets),
                entities=_distinct_entities(entities, keyed, repairs),
                relations=_relations(links.get(number, ()), entities, repairs),
                unknown=_tokens_inside(unknown, start, end, offsets),
                text=text,
                offsets=tuple(offsets),
                text_start=start,
                source=source,
            )

    def _offsets(
        self, text: str, start: int, mentions: Iterable[Mention], repairs: Repairs, source: str
    ) -> List[Span]:
        """The tokens' characters, cut wherever a mention begins or ends inside a token."""
        tokens = [(token.idx, token.idx_end) for token in self.text_tokenizer.tokenize(text)]
        edges = sorted({edge - start for mention in mentions for fragment in mention.fragments for edge in fragment})
        offsets: List[Span] = []
        next_edge = 0
        for begin, end in tokens:
            while next_edge < len(edges) and edges[next_edge] <= begin:
                next_edge += 1
            while next_edge < len(edges) and edges[next_edge] < end:
                repairs.add("token cut at the edge of an entity", source)
                offsets.append((begin, edges[next_edge]))
                begin = edges[next_edge]
                next_edge += 1
            offsets.append((begin, end))
        return offsets
