"""
ANERcorp, Arabic news: token, a blank, tag; one running text without an empty line.

Sentences end after a run of full stops. Some rows have two blanks, and some have lost their token: those are left out.
"""

from collections.abc import Iterator

from overrides import overrides

from ner_zoo.data.corpora.blocks import Block, blocks
from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs

# The last two are misprints of the first.
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
                    repairs.add("row with more than one blank", f"{file}:{block.line + offset}")
            yield Block(block.line, [with_tab(row) for row in block.rows])


def starts_sentence(before: str, row: str) -> bool:
    """Whether `row` comes after the last of a run of full stops."""
    return before.startswith(FULL_STOPS) and _is_full_stop(before) and not _is_full_stop(row)


def _is_full_stop(row: str) -> bool:
    token, _, tag = with_tab(row).partition("\t")
    return token in FULL_STOPS and tag == "O"  # one inside an entity ends nothing


def with_tab(row: str) -> str:
    """The row with a TAB before its tag: what stands between blanks before the last ones is one token."""
    if "\t" in row:
        return row
    token, _, tag = row.rstrip(" ").rpartition(" ")
    return token.strip(" ") + "\t" + tag
