"""
doccano's export of a sequence labelling project: one text per line, in any of three forms.

    {"id": 7, "text": "Ada moved to Lune.", "label": [[0, 3, "PER"], [13, 17, "LOC"]]}
    {"id": 7, "text": "Ada moved to Lune.", "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}],
     "relations": [{"id": 9, "from_id": 1, "to_id": 2, "type": "MOVES_TO"}]}
    {"id": 7, "text": "Ada moved to Lune.", "annotations": [{"label": 4, "start_offset": 0, "end_offset": 3}]}

The last form, from versions before 1.5, has numeric labels: their names are set with `label_names`.
"""

from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention, check_inside
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.fields import END, START, is_annotation, refuse_unknown
from ner_zoo.data.corpora.json_lines import Record, checked, field, get, integers, objects
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter

TEXT = ("text", "data")
MARKED = ("label", "labels", "entities", "annotations")
KNOWN = frozenset(("id", *TEXT, *MARKED, "relations", "Comments", "comments", "meta"))


@Corpus.register("doccano")
class Doccano(RawTextCorpus):
    """label_names : the names of numeric labels, by number: `{"4": "PER"}`."""

    patterns = ("*.jsonl", "*.json")

    def __init__(
        self,
        label_names: dict[str, str] | None = None,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
        join_related: bool = True,
    ) -> None:
        super().__init__(tokenizer, sentence_splitter, encoding, join_related)
        self.label_names = label_names or {}

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        if sample.every(_has_triples) and any(is_annotation(_marked(record)) for record in sample.records):
            return 'its records have a text with a list of [start, end, type] as "label"'
        if sample.every(_has_offsets) and any(map(_marked, sample.records)):
            return 'its entities have "start_offset" and "end_offset"'
        return None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for source, record in objects(file, repairs, self.encoding):
            yield from self.sentences_of(self._document(record, source), repairs)

    def _document(self, record: Record, source: str) -> AnnotatedText:
        text = field(record, TEXT, str, source)
        if not any(record.get(name) is not None for name in MARKED):
            refuse_unknown(record, KNOWN, source)
        mentions: dict[str, Mention] = {}
        for number, value in enumerate(field(record, MARKED, list, source, default=[])):
            key, mention = self._mention(value, f"number {number}", source)
            check_inside(text, mention.fragments, f"an entity of type {mention.type!r}", source)
            if key in mentions:
                raise ConfigurationError(f"{source} has two entities with the id {key}. Ids must be unique.")
            mentions[key] = mention
        return AnnotatedText(text, source, mentions, list(_links(record, source)))

    def _mention(self, value: Any, key: str, source: str) -> tuple[str, Mention]:
        """An entity in any of the forms, and its key in relations."""
        if isinstance(value, list):
            start, end = integers(value, "an entity", source, 2)
            return key, Mention(self._type(value[2] if len(value) > 2 else None, source), ((start, end),), source)
        entity = checked(value, dict, "an entity", source)
        type = self._type(entity.get("label"), source)
        span = (field(entity, START, int, source), field(entity, END, int, source))
        return str(entity.get("id", key)), Mention(type, (span,), source)

    def _type(self, label: Any, source: str) -> str:
        if isinstance(label, str):
            return label
        name = self.label_names.get(str(label)) if isinstance(label, int) else None
        if name is None:
            raise ConfigurationError(
                f"{source} has the label {label!r}, which has no name. Labels must be strings, or numbers whose names "
                'are set in the reader, as in "label_names": {"4": "PER"}.'
            )
        return name


def _links(record: Record, source: str) -> Iterator[Link]:
    for value in get(record, "relations", list, source, default=[]):
        relation = checked(value, dict, "a relation", source)
        head, tail = (str(get(relation, name, int, source)) for name in ("from_id", "to_id"))
        yield Link(field(relation, ("type", "label"), str, source), head, tail, source)


def _marked(record: Record) -> list[Any]:
    return next((record[name] for name in MARKED if isinstance(record.get(name), list)), [])


def _has_triples(record: Record) -> bool:
    marked = next((record[name] for name in ("label", "labels") if name in record), None)
    is_text = any(isinstance(record.get(name), str) for name in TEXT) and "tokens" not in record
    return is_text and isinstance(marked, list) and all(isinstance(e, list) and len(e) == 3 for e in marked)


def _has_offsets(record: Record) -> bool:
    is_text = any(isinstance(record.get(name), str) for name in TEXT)
    return is_text and all(isinstance(e, dict) and "start_offset" in e for e in _marked(record))
