"""
GermEval 2014, German, two levels of entities, in either of its two forms.

    # <TAB> source <TAB> date          the original TSV: a row with the source, then number, token, outer tag, inner tag
    1 <TAB> Aachen <TAB> B-LOC <TAB> O
    Aachen <TAB> B-LOC <TAB> O         `.iob2`: no numbers, and a row that starts with `#` is a token
"""

from collections.abc import Iterator

from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.blocks import blocks
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.levels import NestedLevels
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tag_column import is_tag
from ner_zoo.data.repairs import Repairs


@Corpus.register("germeval14")
class Germeval14(NestedLevels):
    patterns = ("*.tsv", "*.iob2")

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        rows = [row.split("\t") for row in sample.rows if not row.startswith("#")]
        is_ours = bool(rows) and all(len(row) == 4 and row[0].isdigit() and all(map(is_tag, row[2:])) for row in rows)
        return "its rows are numbered and have two columns of tags" if is_ours else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        first = next(blocks(file, self.encoding, Repairs()), None)
        numbered = first is not None and is_numbered(first.rows[0])
        # In a TSV, a row that starts with `#` names the source of a sentence.
        found = blocks(file, self.encoding, repairs, (lambda row: row.startswith("#")) if numbered else None)
        return self.from_blocks(found, 1 if numbered else 0, file, repairs)


def is_numbered(row: str) -> bool:
    """Whether the first row is in TSV form: the source of the sentence, or a number before the token."""
    fields = row.rstrip("\t ").split("\t")
    if fields[0] == "#":
        return not all(is_tag(field) for field in fields[1:])
    return fields[0].isdigit() and len(fields) == 4
