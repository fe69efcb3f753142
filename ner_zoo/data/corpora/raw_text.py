"""
Raw-text corpora: splits a document into sentences and tokens without losing any annotation.

No sentence ends inside a mention. Each sentence keeps its text, its offset in the document and its token offsets:

    document[sentence.text_start + start : sentence.text_start + end] == token
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data import tokenizers  # noqa: F401  registers the tokenizers that corpora name
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention, sentence_in
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_rules import spans_between
from ner_zoo.data.sentence_splitter import SentenceSplitter

LINE_END = "\n"


class RawTextCorpus(Corpus):
    """
    tokenizer, sentence_splitter : how to split raw text into tokens and sentences; each corpus has a default.
    encoding : encoding of the files (default: detected automatically).
    join_related : do not split a sentence between the arguments of a relation, so that every relation is kept. If
        false, relations across sentences are left out and counted.
    """

    def __init__(
        self,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
        join_related: bool = True,
    ) -> None:
        self.text_tokenizer = tokenizer or Tokenizer.by_name(self.tokenizer)()
        self.text_splitter = sentence_splitter or SentenceSplitter.by_name(self.sentence_splitter)()
        super().__init__(encoding)
        self.join_related = join_related

    def sentences_of(self, document: AnnotatedText, repairs: Repairs) -> Iterator[Sentence]:
        """The sentences of one document with all of its annotation."""
        document = document.tidied(repairs)
        breaks = self.text_splitter.breaks(document.text) if document.breaks is None else document.breaks
        spans = spans_between(document.text, breaks, self._protected(document))
        starts = [start for start, _ in spans]
        mentions = _mentions_by_sentence(document, starts)
        links = _links_by_sentence(document, starts, repairs)
        given = document.tokens
        source, counted = document.source, 0
        for number, span in enumerate(spans):
            if document.has_lines:
                file, _, line = source.rpartition(":")
                source, counted = f"{file}:{int(line) + document.text.count(LINE_END, counted, span[0])}", span[0]
            tokens = self._tokens(document.text[slice(*span)]) if given is None else _between(given, *span)
            yield sentence_in(document, span, tokens, mentions[number], links[number], repairs, source)

    def _protected(self, document: AnnotatedText) -> Iterator[Span]:
        for mention in document.mentions.values():
            yield mention.hull
        if self.join_related:
            for link in document.links:
                head, tail = document.mentions[link.head].hull, document.mentions[link.tail].hull
                yield min(head[0], tail[0]), max(head[1], tail[1])

    def _tokens(self, text: str) -> list[Span]:
        spans: list[Span] = []
        for token in self.text_tokenizer.tokenize(text):
            if token.idx is None or token.text is None:
                raise ConfigurationError(
                    f"The tokenizer {type(self.text_tokenizer).__name__} does not return character offsets, which a "
                    'raw-text corpus needs. Use "words", "tweets" or "characters".'
                )
            if token.text.strip():
                spans.append((token.idx, token.idx + len(token.text)))
        return spans


def _between(tokens: list[Span], start: int, end: int) -> list[Span]:
    """The token offsets of a sentence, relative to its start."""
    first, last = bisect_left(tokens, (start, start)), bisect_left(tokens, (end, end))
    return [(begin - start, stop - start) for begin, stop in tokens[first:last]]


def _mentions_by_sentence(document: AnnotatedText, starts: list[int]) -> dict[int, dict[str, Mention]]:
    grouped: dict[int, dict[str, Mention]] = defaultdict(dict)
    for key, mention in document.mentions.items():
        grouped[bisect_right(starts, mention.hull[0]) - 1][key] = mention
    return grouped


def _links_by_sentence(document: AnnotatedText, starts: list[int], repairs: Repairs) -> dict[int, list[Link]]:
    grouped: dict[int, list[Link]] = defaultdict(list)
    for link in document.links:
        head = bisect_right(starts, document.mentions[link.head].hull[0])
        tail = bisect_right(starts, document.mentions[link.tail].hull[0])
        if head == tail:
            grouped[head - 1].append(link)
        else:
            repairs.add("relation between two sentences left out", link.source)
    return grouped
