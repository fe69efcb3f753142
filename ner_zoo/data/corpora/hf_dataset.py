"""
Token classification data of Hugging Face `datasets`: one sentence per row, with one tag per token.

    {"id": "7", "tokens": ["Ada", "moved"], "ner_tags": [1, 0]}             numbers, whose names may be in the file
    {"id": "7", "tokens": ["Ada", "moved"], "ner_tags": ["B-PER", "O"]}     or strings

Reads JSON lines, Parquet, and folders written by `save_to_disk`. Parquet and Arrow files contain the tag names if the
feature is a `ClassLabel`; otherwise set `label_names`.
"""

import os
from collections.abc import Iterator
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.arrow_files import ENDINGS, label_names_of, rows_of_table
from ner_zoo.data.corpora.columns import sentence_of
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.json_lines import Record, checked, field, objects
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tag_column import TagColumn
from ner_zoo.data.repairs import Repairs

TOKENS = ("tokens", "words")
TAGS = ("ner_tags", "tags", "ner", "labels", "ner_labels", "entity_tags")
# Metadata in a folder written by `save_to_disk`.
DESCRIPTIONS = ("state.json", "dataset_info.json", "dataset_dict.json", "dataset_infos.json")


@Corpus.register("hf_dataset")
class HfDataset(Corpus):
    """
    label_names : the names of numeric tags, from 0.
    tokens_field, tags_field : the names of the columns, if they are not the usual ones.
    scheme : tag scheme (default: detected automatically).
    encoding : encoding of JSON lines (default: detected automatically).
    """

    patterns = ("*.arrow", "*.parquet", "*.jsonl", "*.json")

    def __init__(
        self,
        label_names: list[str] | None = None,
        tokens_field: str | None = None,
        tags_field: str | None = None,
        scheme: str | None = None,
        encoding: str | None = None,
    ) -> None:
        self.label_names = label_names
        self.tokens_fields = TOKENS if tokens_field is None else (tokens_field,)
        self.tags_fields = TAGS if tags_field is None else (tags_field,)
        self.scheme = scheme
        super().__init__(encoding)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        if os.path.isdir(sample.file):
            is_saved = any(os.path.isfile(os.path.join(sample.file, name)) for name in DESCRIPTIONS)
            return "it is a folder written by save_to_disk" if is_saved else None
        if sample.head[:4] in (b"PAR1", b"ARRO", b"\xff\xff\xff\xff"):
            return "it is a Parquet or Arrow file"
        is_ours = sample.every(lambda record: any(map(record.get, TOKENS)) and any(map(record.get, TAGS)))
        return "its records have tokens with a list of tags" if is_ours and sample.every(_has_tags) else None

    @overrides
    def files(self, path: str) -> list[str]:
        if os.path.isfile(os.path.join(path, "dataset_dict.json")):
            splits = sorted(name for name in os.listdir(path) if os.path.isdir(os.path.join(path, name)))
            raise ConfigurationError(
                f"{path} contains the splits {', '.join(splits)}. Pass the folder of one split, such as "
                f"{os.path.join(path, splits[0] if splits else 'train')}."
            )
        found = super().files(path)
        return [file for file in found if os.path.basename(file) not in DESCRIPTIONS] or found

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        column = TagColumn(file, repairs, self.scheme)
        names = self.label_names
        if names is None and file.endswith(ENDINGS):
            names = label_names_of(file, self.tags_fields)
        for number, (source, record) in enumerate(self._records(file, repairs), 1):
            tokens, tags = self._row(record, names, source)
            entities = column.entities(tags, number)
            yield from sentence_of(tokens, entities, source, repairs)
        column.finish()

    def _records(self, file: str, repairs: Repairs) -> Iterator[tuple[str, Record]]:
        """The rows, each with its location for messages."""
        if not file.endswith(ENDINGS):
            return objects(file, repairs, self.encoding)
        rows = rows_of_table(file, (*self.tokens_fields, *self.tags_fields))
        return ((f"{file}:{number}", record) for number, record in enumerate(rows, 1))

    def _row(self, record: Record, names: list[str] | None, source: str) -> tuple[list[str], list[str]]:
        listed = field(record, self.tokens_fields, list, source)
        tokens = [checked(token, str, "a token", source) for token in listed]
        tags = [_tag(tag, names, source) for tag in field(record, self.tags_fields, list, source)]
        if len(tags) != len(tokens):
            raise ConfigurationError(
                f"{source} has {len(tokens)} tokens and {len(tags)} tags. There must be one tag per token."
            )
        return tokens, tags


def _tag(tag: Any, names: list[str] | None, source: str) -> str:
    """The name of a tag."""
    if isinstance(tag, str):
        return tag
    number = checked(tag, int, "a tag", source)
    if names is None:
        raise ConfigurationError(
            f"{source} has the numeric tag {number}, but the file does not contain tag names. Name the reader "
            'hf_dataset and set them, as in "label_names": ["O", "B-PER", "I-PER"].'
        )
    if not 0 <= number < len(names):
        raise ConfigurationError(f"{source} has the tag {number}, but there are only {len(names)} names: {names[:20]}.")
    return names[number]


def _has_tags(record: Record) -> bool:
    tags: Any = next((record[name] for name in TAGS if record.get(name)), [])
    return isinstance(tags, list) and all(isinstance(tag, (int, str)) for tag in tags)
