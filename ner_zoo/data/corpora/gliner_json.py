"""
GLiNER training data, a JSON list or JSON lines. Token indices start at 0, and ends are inclusive:

    {"tokenized_text": ["Ada", "Quill", "moved", "to", "Lune"], "ner": [[0, 1, "person"], [4, 4, "place"]],
     "relations": [[0, 1, "moved_to"]]}

A relation refers to its arguments by their index in "ner", or by span and type: [0, 1, "person", 4, 4, "place",
"moved_to"].
"""

from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.annotated_text import Link, Mention
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.fields import refuse_unknown
from ner_zoo.data.corpora.json_lines import Record, checked, get, integers, objects
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tokenised_text import sentence_of
from ner_zoo.data.repairs import Repairs

KNOWN = frozenset(
    "tokenized_text ner relations ner_labels ner_negatives rel_labels rel_negatives label negatives".split()
)


@Corpus.register("gliner_json")
class GlinerJson(Corpus):
    patterns = ("*.json", "*.jsonl")
    view = "spans"

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        return 'its records have "tokenized_text"' if sample.every(lambda record: "tokenized_text" in record) else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for number, (source, record) in enumerate(objects(file, repairs, self.encoding), 1):
            source = f"{source} (record {number})"
            listed = get(record, "tokenized_text", list, source)
            tokens = [checked(token, str, "a token", source) for token in listed]
            if record.get("ner") is None:
                refuse_unknown(record, KNOWN, source)
            rows = [checked(row, list, "an entity", source) for row in get(record, "ner", list, source, default=[])]
            mentions = {str(place): _mention(row, source) for place, row in enumerate(rows)}
            sentence = sentence_of(tokens, mentions, _links(record, mentions, source), repairs, source)
            if sentence.tokens:
                yield sentence
            else:
                repairs.add("sentence without words left out", source)


def _mention(row: list[Any], source: str) -> Mention:
    first, last = integers(row, "an entity", source, 2)
    return Mention(checked(row[2] if len(row) > 2 else None, str, "a type", source), ((first, last + 1),), source)


def _links(record: Record, mentions: dict[str, Mention], source: str) -> Iterator[Link]:
    for value in get(record, "relations", list, source, default=[]):
        row = checked(value, list, "a relation", source)
        if len(row) == 3:
            head, tail = integers(row, "a relation", source, 2)
            keys = (str(head), str(tail))
        elif len(row) == 7:
            keys = (_key(row[:3], mentions, source), _key(row[3:6], mentions, source))
        else:
            raise ConfigurationError(
                f"{source}: a relation has {len(row)} elements. Expected [head, tail, type] with indices into ner, or "
                "[head start, head end, head type, tail start, tail end, tail type, type]."
            )
        yield Link(checked(row[-1], str, "the type of a relation", source), *keys, source)


def _key(row: list[Any], mentions: dict[str, Mention], source: str) -> str:
    wanted = _mention(row, source)
    return next((key for key, mention in mentions.items() if mention == wanted), "")
