"""
HAREM in columns, the form in which miniHAREM is distributed: token TAB bare type (`PESSOA`) or O; adjacent tokens of
one type are one entity.
"""

from collections.abc import Iterator

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.repairs import Repairs


def sentences(file: str, repairs: Repairs, encoding: str | None = None) -> Iterator[Sentence]:
    """The sentences of one column file."""
    return ColumnCorpus(encoding=encoding, tag_column=-1, scheme="IO").sentences(file, repairs)
