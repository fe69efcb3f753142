"""
Output of `prodigy db-out`: one text per line with character-level spans, optionally with tokens and relations.

    {"text": "Ada moved to Lune.", "answer": "accept",
     "tokens": [{"text": "Ada", "start": 0, "end": 3, "id": 0, "ws": true}, ...],
     "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"}, ...],
     "relations": [{"head": 0, "child": 3, "head_span": {...}, "child_span": {...}, "label": "MOVES_TO"}]}

`token_end` is inclusive. A text with tokens is one sentence; any other text is split into sentences and tokens.

Recipes with binary answers, such as `ner.teach`, ask about one span at a time; the rest of the text is unknown, as
it is around spans with their own "answer". The loss `partial_likelihood` can be trained on such texts.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention, check_inside, joined, sentence_on_tokens
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.fields import refuse_unknown, token_spans
from ner_zoo.data.corpora.json_lines import Record, checked, field, get, objects
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter

ANSWERS = ("accept", "reject", "ignore")
KNOWN = frozenset("text spans tokens relations answer meta options accept versions html".split())
# The interfaces of recipes with binary answers, for versions of Prodigy that do not write "_is_binary".
BINARY_INTERFACES = ("ner", "spans")


@Corpus.register("prodigy")
class Prodigy(RawTextCorpus):
    """
    answers : which texts to read, by the annotator's answer; a text without one counts as accepted.
    annotator : read only the annotations of this annotator (or session).
    tokenizer, sentence_splitter : for texts without tokens.
    """

    patterns = ("*.jsonl", "*.json")

    def __init__(
        self,
        answers: list[str] | None = None,
        annotator: str | None = None,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
        join_related: bool = True,
    ) -> None:
        super().__init__(tokenizer, sentence_splitter, encoding, join_related)
        self.answers = ["accept"] if answers is None else answers
        self.annotator = annotator
        for answer in self.answers:
            if answer not in ANSWERS:
                raise ConfigurationError(f"Prodigy has no answer {answer!r}. Use {', '.join(ANSWERS)}.")

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        is_ours = sample.every(lambda record: "text" in record and ("spans" in record or "answer" in record))
        return 'its records have "text" with "spans" or an "answer"' if is_ours else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        annotators: dict[Any, str] = {}  # the annotator of a text, by its hash
        for source, record in objects(file, repairs, self.encoding):
            answer, author = _answer(record, "accept", source), _author(record)
            if answer not in self.answers:
                repairs.add(f'text with the answer "{answer}" left out', source)
                continue
            if self.annotator is not None and author != self.annotator:
                repairs.add("annotation by another annotator left out", source)
                continue
            document = document_of(record, repairs, source)
            if annotators.setdefault(record.get("_input_hash", hash(document.text)), author) != author:
                repairs.add("text with two annotators read twice; set `annotator` to choose one", source)
            if document.tokens is None:
                yield from self.sentences_of(document, repairs)
            elif document.tokens:
                yield sentence_on_tokens(document, repairs)


def document_of(record: Record, repairs: Repairs, source: str) -> AnnotatedText:
    """The text of one record with its spans and relations."""
    text = get(record, "text", str, source)
    if "spans" not in record:
        refuse_unknown(record, KNOWN, source)
    # Including white space tokens, which spans and relations count.
    tokens = None if record.get("tokens") is None else token_spans(record, text, source)
    spans = [checked(value, dict, "a span", source) for value in get(record, "spans", list, source, default=[])]
    is_binary = _is_binary(record, spans)
    mentions: dict[str, Mention] = {}
    for number, span in enumerate(spans):
        start, end = _characters(span, tokens, source)
        mention = Mention(field(span, ("label", "type"), str, source), ((start, end),), source)
        check_inside(text, mention.fragments, f"a span with the label {mention.type!r}", source)
        answer = _answer(span, _answer(record, "accept", source) if is_binary else "accept", source)
        if answer == "accept":
            mentions[str(number)] = mention
        else:
            repairs.add(f'span with the answer "{answer}" left out', source)
    links = list(_links(record, mentions, tokens, source))
    words = None if tokens is None else [(start, end) for start, end in tokens if not text[start:end].isspace()]
    unknown = _outside(mentions.values(), len(text)) if is_binary else []
    return AnnotatedText(text, source, mentions, links, unknown, tokens=words)


def _answer(record: Record, default: str, source: str) -> str:
    """The answer of a record or a span."""
    answer = get(record, "answer", str, source, default=default)
    if answer not in ANSWERS:
        raise ConfigurationError(f'{source}: "answer" is {answer!r}. Expected {", ".join(ANSWERS)}.')
    return answer


def _author(record: Record) -> str:
    """The annotator of a record; earlier versions of Prodigy write only the session."""
    return str(record.get("_annotator_id") or record.get("_session_id"))


def _is_binary(record: Record, spans: list[Record]) -> bool:
    """Whether the annotator judged only the spans of a record, not the rest of its text."""
    is_asked = record.get("_is_binary", record.get("_view_id") in BINARY_INTERFACES)
    return bool(is_asked) or any("answer" in span for span in spans)


def _outside(mentions: Iterable[Mention], length: int) -> list[Span]:
    """The parts of a text of this length outside the mentions."""
    covered = joined(mention.hull for mention in mentions)
    edges = [0, *(edge for span in covered for edge in span), length]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2]) if start < end]


def _characters(span: Record, tokens: list[Span] | None, source: str) -> Span:
    """The characters of a span, or of its tokens if it has no character offsets."""
    if tokens is None or span.get("start") is not None:
        return get(span, "start", int, source), get(span, "end", int, source)
    first, last = get(span, "token_start", int, source), get(span, "token_end", int, source)
    if not 0 <= first <= last < len(tokens):
        raise ConfigurationError(
            f"{source}: a span covers tokens {first} to {last}, but there are only {len(tokens)} tokens."
        )
    return tokens[first][0], tokens[last][1]


def _links(record: Record, mentions: dict[str, Mention], tokens: list[Span] | None, source: str) -> Iterator[Link]:
    for value in get(record, "relations", list, source, default=[]):
        relation = checked(value, dict, "a relation", source)
        head, tail = (_argument(relation, name, mentions, tokens, source) for name in ("head", "child"))
        yield Link(field(relation, ("label", "type"), str, source), head, tail, source)


def _argument(relation: Record, name: str, mentions: dict[str, Mention], tokens: list[Span] | None, source: str) -> str:
    """The key of the span that a relation refers to: by characters and label, or by its last token."""
    span = relation.get(f"{name}_span")
    if isinstance(span, dict):
        fragments = (_characters(span, tokens, source),)
        fits = [key for key, mention in mentions.items() if mention.fragments == fragments]
        return next((key for key in fits if mentions[key].type == span.get("label")), fits[0] if fits else "")
    token = get(relation, name, int, source)
    if tokens is None:
        raise ConfigurationError(f'{source} has relations between tokens, but no "tokens". Export it with `db-out`.')
    if not 0 <= token < len(tokens):
        raise ConfigurationError(
            f"{source}: a relation refers to token {token}, but there are only {len(tokens)} tokens."
        )
    return next((key for key, mention in mentions.items() if mention.hull[1] == tokens[token][1]), "")
