"""
Nested entities in columns: a token, followed by one column of tags per level of nesting.

    GermEval 2014   outer level first; a TSV with token numbers and `#` rows for the source, or `.iob2` without either
    GENIA, LitBank  innermost level first; rows of LitBank end in a TAB

The entities of a sentence are those of all levels. A span can have two types; duplicates of one type are merged.
"""

from collections.abc import Iterator
from itertools import zip_longest

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora.blocks import Block, Split, blocks, check_width, splitter
from ner_zoo.data.corpora.columns import sentence_of
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tag_column import TagColumn, is_tag
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import OUTSIDE

MOST_LEVELS = 64


class NestedLevels(Corpus):
    """
    encoding : encoding of the files (default: detected automatically).
    scheme : tag scheme of all levels (default: detected automatically).
    """

    view = "spans"

    def __init__(self, encoding: str | None = None, scheme: str | None = None) -> None:
        super().__init__(encoding)
        self.scheme = scheme

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        return self.from_blocks(blocks(file, self.encoding, repairs), 0, file, repairs)

    def from_blocks(self, found: Iterator[Block], token_column: int, file: str, repairs: Repairs) -> Iterator[Sentence]:
        """The sentences of blocks whose columns from `token_column` on are the token and its levels."""
        split: Split | None = None
        column = TagColumn(file, repairs, self.scheme)
        for block in found:
            split = split or splitter(block.rows[0])
            fields = split(block.rows)
            check_width(fields, token_column + 2, block, file)
            tokens = [row[token_column] for row in fields]
            levels = _levels([row[token_column + 1 :] for row in fields], block, file, repairs)
            entities = self._entities(levels, column, block, file, repairs)
            yield from sentence_of(tokens, entities, f"{file}:{block.line}", repairs)
        column.finish()

    @staticmethod
    def _entities(
        levels: list[list[str]], column: TagColumn, block: Block, file: str, repairs: Repairs
    ) -> list[Entity]:
        """The entities of all levels without duplicates, from left to right and from outside in."""
        found: dict[Entity, None] = {}
        for tags in levels:
            for entity in column.entities(tags, block.line):
                if entity in found:
                    repairs.add("entity repeated on another level", f"{file}:{block.line + entity.start}")
                found[entity] = None
        return sorted(found, key=lambda entity: (entity.start, -entity.end))


def _levels(tags: list[list[str]], block: Block, file: str, repairs: Repairs) -> list[list[str]]:
    """The tag columns; if the rows of a sentence have different numbers of columns, missing ones are O."""
    widths = list(map(len, tags))
    if max(widths) > MOST_LEVELS:
        raise ConfigurationError(
            f"{file}:{block.line + widths.index(max(widths))} has {max(widths)} columns after the token, but at most "
            f"{MOST_LEVELS} levels of nesting are supported. Check that this is the right reader for the file."
        )
    if min(widths) == max(widths):
        return list(map(list, zip(*tags)))
    repairs.add("row with fewer levels than its sentence", f"{file}:{block.line + widths.index(min(widths))}")
    return [[tag or OUTSIDE for tag in level] for level in zip_longest(*tags, fillvalue=OUTSIDE)]


@Corpus.register("genia")
class Genia(NestedLevels):
    patterns = ("*.iob2",)

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        rows = splitter(sample.rows[0])(sample.rows) if sample.rows else []
        is_ours = bool(rows) and all(len(row) > 2 and all(map(is_tag, row[1:])) for row in rows)
        return "every column after the first contains tags: levels of nesting" if is_ours else None
