"""
ANERcorp, Arabic news: token, a blank, tag; one running text without an empty line.

Sentences end after a run of full stops. Some rows have two blanks, and some have lost their token: those are left out.
"""

from typing import Iterator, List, Optional

from overrides import overrides

from ner_zoo.data.corpora.blocks import Block, blocks
from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus, Repairs

FULL_STOPS = (".", "·", "•")


@Corpus.register("anercorp")
class Anercorp(ColumnCorpus):
    def __init__(self, encoding: Optional[str] = None) -> None:
        super().__init__(encoding=encoding)

    @overrides
    def blocks(self, file: str, repairs: Repairs) -> Iterator[Block]:
        for block in blocks(file, self.encoding, repairs, cut_before=starts_sentence):
            for offset, row in enumerate(block.rows):
                if "  " in row.strip() or row.count(" ") > 1:
                    repairs.add("row with more than one blank", f"{file}:{block.line + offset}")
            yield block


def starts_sentence(before: str, row: str) -> bool:
    """Whether `row` comes after the last of a run of full stops. A full stop inside an entity ends nothing."""
    return before.startswith(FULL_STOPS) and _is_full_stop(before) and not _is_full_stop(row)


def _is_full_stop(row: str) -> bool:
    fields: List[str] = row.split()
    return len(fields) == 2 and fields[0] in FULL_STOPS and fields[1] == "O"
