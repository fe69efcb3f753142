"""
Spans in JSON lines. A line is a document of DyGIE++ or PURE (it has "sentences"), or a sentence with half-open spans:

    {"tokens": ["Jane", "Roe", "visits", "Lima"],
     "entities": [{"type": "PER", "start": 0, "end": 2}, {"type": "GPE", "fragments": [[3, 4]]}],
     "relations": [{"type": "PHYS", "head": 0, "tail": 1}]}

Relations refer to entities by index. Tokens without annotation are spans in "unknown", counted in the same units as
entities: `"unknown": [[2, 3]]`. The predictions of this library have this form too: tokens are objects with character
offsets, and spans count the characters of "text". The same holds for untokenised text, as exported by annotation tools,
which is split into sentences and tokens here:

    {"text": "Jane Roe visits Lima.", "entities": [{"type": "PER", "start": 0, "end": 8}]}
    {"text": "Jane Roe visits Lima.", "label": [[0, 8, "PER"]]}

Other common names for "start", "end" and "type", such as "label", are read too.
"""

from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence, Span
from ner_zoo.data.corpora.annotated_text import (
    AnnotatedText,
    Link,
    Mention,
    check_inside,
    sentence_on_tokens,
)
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.dygie_json import sentences_of_document
from ner_zoo.data.corpora.fields import END, START, TYPE, refuse_unknown, token_spans
from ner_zoo.data.corpora.json_lines import Record, checked, field, get, integers, objects
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tokenised_text import sentence_of
from ner_zoo.data.repairs import Repairs

ANNOTATED = ("entities", "label", "labels")
KNOWN = frozenset((*ANNOTATED, "text", "tokens", "sentences", "relations", "taggings", "unknown"))


@Corpus.register("span_json")
class SpanJson(RawTextCorpus):
    """The tokenizer and the sentence splitter apply to texts without tokens."""

    patterns = ("*.json", "*.jsonl")
    view = "joint"

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        return "its records have entities on tokens or on a text" if sample.every(_is_ours) else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for source, record in objects(file, repairs, self.encoding):
            if "text" in record and not {"tokens", "sentences"} & set(record):
                yield from self.sentences_of(document_of_record(record, source), repairs)
            else:
                yield from sentences_of_record(record, repairs, source)


def document_of_record(record: Record, source: str) -> AnnotatedText:
    """A text with its annotation, and with its tokens if it has any."""
    text = get(record, "text", str, source)
    tokens = token_spans(record, text, source) if "tokens" in record else None
    mentions = {str(number): mention for number, mention in enumerate(_mentions(record, source))}
    for mention in mentions.values():
        check_inside(text, sorted(mention.fragments), f"an entity of type {mention.type!r}", source)
    links, unknown = list(_links(record, source)), _unknown(record, source)
    check_inside(text, unknown, "an unknown span", source)
    return AnnotatedText(text, source, mentions, links, unknown, tokens)


def sentences_of_record(record: Record, repairs: Repairs, source: str) -> Iterator[Sentence]:
    """The sentences of one line, in either form."""
    if "sentences" in record:
        yield from sentences_of_document(record, repairs, source)
        return
    if "tokens" not in record:
        raise ConfigurationError(
            f'{source} has neither "sentences" (a document) nor "tokens" (a sentence) nor "text"; it has '
            f"{sorted(record)[:12]}."
        )
    tokens = get(record, "tokens", list, source)
    if tokens and isinstance(tokens[0], dict):
        yield sentence_on_tokens(document_of_record(record, source), repairs)
        return
    mentions = {str(number): mention for number, mention in enumerate(_mentions(record, source))}
    links = list(_links(record, source))
    if tokens:
        words = [checked(token, str, "a token", source) for token in tokens]
        yield sentence_of(words, mentions, links, repairs, source, _unknown(record, source))


def _is_ours(record: Record) -> bool:
    """Whether a record is a document of DyGIE++ or has entities in this format."""
    if isinstance(record.get("sentences"), list):
        return "ner" in record or "relations" in record
    entities = record.get("entities")
    if not isinstance(entities, list) or not {"tokens", "text"} & set(record):
        return False
    return all(
        isinstance(entity, list)
        or (isinstance(entity, dict) and any(name in entity for name in TYPE) and "start_offset" not in entity)
        for entity in entities
    )


def _mentions(record: Record, source: str) -> Iterator[Mention]:
    if not any(name in record for name in ANNOTATED):
        refuse_unknown(record, KNOWN, source)
    marked = next((name for name in ANNOTATED if name in record), "entities")
    for value in get(record, marked, list, source, default=[]):
        fragments: tuple[Span, ...]
        if isinstance(value, list):
            yield Mention(*_triple(value, source), source)
            continue
        entity = checked(value, dict, "an entity", source)
        if entity.get("fragments") is not None:
            pairs = get(entity, "fragments", list, source)
            fragments = tuple(_span(integers(pair, "a fragment", source, 2)) for pair in pairs)
        else:
            fragments = ((field(entity, START, int, source), field(entity, END, int, source)),)
        yield Mention(field(entity, TYPE, str, source), fragments, source)


def _triple(value: list[Any], source: str) -> tuple[str, tuple[Span, ...]]:
    if len(value) != 3 or not isinstance(value[2], str):
        raise ConfigurationError(f"{source} has the entity {value!r}. Expected [start, end, type].")
    return value[2], (_span(integers(value[:2], "an entity", source, 2)),)


def _span(numbers: list[int]) -> Span:
    return numbers[0], numbers[1]


def _links(record: Record, source: str) -> Iterator[Link]:
    for value in get(record, "relations", list, source, default=[]):
        relation = checked(value, dict, "a relation", source)
        head, tail = get(relation, "head", int, source), get(relation, "tail", int, source)
        yield Link(field(relation, ("type", "label"), str, source), str(head), str(tail), source)


def _unknown(record: Record, source: str) -> list[Span]:
    stretches = get(record, "unknown", list, source, default=[])
    return sorted(_span(integers(value, "an unknown span", source, 2)) for value in stretches)
