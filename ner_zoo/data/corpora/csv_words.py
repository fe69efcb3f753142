"""
Sentences in a CSV file with one row per word.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.blocks import MOST_ROWS
from ner_zoo.data.corpora.columns import sentence_of
from ner_zoo.data.corpora.tag_column import TagColumn
from ner_zoo.data.repairs import Repairs


class CsvRow(NamedTuple):
    """The values of the known columns, by our names, and the last line of the row; an empty row has no values."""

    line: int
    values: dict[str, str]


def sentences_of_rows(
    rows: Iterable[CsvRow], has_sentences: bool, scheme: str | None, file: str, repairs: Repairs
) -> Iterator[Sentence]:
    """A new value in the column `sentence` starts a sentence, an empty cell does not; an empty row ends it."""
    column = TagColumn(file, repairs, scheme)
    for block in _sentences(rows, has_sentences, file):
        tokens = [row.values["word"] for row in block]
        entities = column.entities([row.values["tag"] for row in block], block[0].line)
        yield from sentence_of(tokens, entities, f"{file}:{block[0].line}", repairs)
    column.finish()


def _sentences(rows: Iterable[CsvRow], has_sentences: bool, file: str) -> Iterator[list[CsvRow]]:
    block: list[CsvRow] = []
    current = ""
    for row in rows:
        name = row.values.get("sentence", "")
        is_end = not row.values or (not row.values["word"].strip() and not row.values["tag"].strip())
        if block and (is_end or (name and name != current)):
            yield block
            block = []
        current = name or current
        if is_end:
            continue
        if len(block) == MOST_ROWS:
            raise ConfigurationError(
                f"{file}:{row.line} is row {MOST_ROWS + 1} of a sentence. Sentences end at an empty row"
                + (", or where the sentence column changes." if has_sentences else "; there is no sentence column.")
            )
        block.append(row)
    if block:
        yield block
