"""
ANERcorp, Arabic news: token, space, tag; continuous text without empty lines.

Sentences end after a run of full stops. Some rows contain two spaces. Rows that have lost their token are left out.
"""

from collections.abc import Iterator

from overrides import overrides

from ner_zoo.data.corpora.blocks import Block, blocks
from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs

# The last two are typos of the first.
FULL_STOPS = (".", "·", "•")


@Corpus.register("anercorp")
class Anercorp(ColumnCorpus):
    patterns = ("ANER*",)

    def __init__(self, encoding: str | None = None) -> None:
        super().__init__(encoding=encoding, delimiter="\t")

    @overrides
    def blocks(self, file: str, repairs: Repairs) -> Iterator[Block]:
        for block in blocks(file, self.encoding, repairs, cut_before=starts_sentence):
            for offset, row in enumerate(block.rows):
                if row.count(" ") > 1:
                    repairs.add("row with more than one space", f"{file}:{block.line + offset}")
            yield Block(block.line, [with_tab(row) for row in block.rows])


def starts_sentence(before: str, row: str) -> bool:
    """Whether `row` follows the last of a run of full stops."""
    return before.startswith(FULL_STOPS) and _is_full_stop(before) and not _is_full_stop(row)


def _is_full_stop(row: str) -> bool:
    token, _, tag = with_tab(row).partition("\t")
    return token in FULL_STOPS and tag == "O"  # a full stop inside an entity does not end the sentence


def with_tab(row: str) -> str:
    """Replaces the last space of a row with a TAB: everything before it is one token."""
    if "\t" in row:
        return row
    token, _, tag = row.rstrip(" ").rpartition(" ")
    return token.strip(" ") + "\t" + tag
