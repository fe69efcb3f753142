"""
A column corpus: one column contains the tokens, another the tags.

Shared by all flat column corpora; the registered corpora only define their columns.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora import tokenised_text
from ner_zoo.data.corpora.annotated_text import Mention
from ner_zoo.data.corpora.blocks import Block, Split, blocks, check_width, splitter
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.tag_column import TagColumn, is_tag
from ner_zoo.data.repairs import Repairs

# To distinguish row numbers from tokens that are numbers.
BLOCKS_TO_LOOK_AT = 5


class ColumnCorpus(Corpus):
    """
    encoding : encoding of the files (default: detected automatically).
    delimiter : column separator (default: TAB, or spaces if the first row has no TAB).
    token_column, tag_column : column indices; negative ones count from the right. By default, tokens are in the first
        column, or in the second if the first contains row numbers; tags are in the last column, or in the first one
        that contains tags if the last does not.
    scheme : tag scheme (default: detected automatically).
    unknown_tag : tag of tokens without annotation.
    comment : prefix of rows that are not tokens.
    """

    def __init__(
        self,
        encoding: str | None = None,
        delimiter: str | None = None,
        token_column: int | None = None,
        tag_column: int | None = None,
        scheme: str | None = None,
        unknown_tag: str | None = None,
        comment: str | None = None,
    ) -> None:
        super().__init__(encoding)
        self.delimiter = delimiter
        self.token_column = token_column
        self.tag_column = tag_column
        self.scheme = scheme
        self.unknown_tag = unknown_tag
        self.comment = comment

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        column = TagColumn(file, repairs, self.scheme, self.unknown_tag)
        for block, tokens, tags in self.annotated_blocks(file, repairs):
            entities = column.entities(tags, block.line)
            unknown = column.unknown_positions(tags)
            tokens = self.clean(tokens, block, file, repairs)
            yield from sentence_of(tokens, entities, f"{file}:{block.line}", repairs, unknown)
        column.finish()

    def annotated_blocks(self, file: str, repairs: Repairs) -> Iterator[tuple[Block, list[str], list[str]]]:
        """Yields each block with its tokens and tags."""
        split: Split | None = None
        token, tag = self.token_column, -1
        for block in self.blocks(file, repairs):
            if split is None:
                split = splitter(block.rows[0], self.delimiter)
                first = split(block.rows)
                tag = find_tags(first[0]) if self.tag_column is None else self.tag_column
                if token is None:
                    token = 1 if self._numbers_rows(file, split, tag) else 0
                    if token == 1:
                        repairs.add(
                            "first column contains row numbers; tokens read from the second", f"{file}:{block.line}"
                        )
            assert token is not None
            fields = split(block.rows)
            check_width(fields, max(2, token + 1, -token, tag + 1, -tag), block, file)
            yield block, [row[token] for row in fields], [row[tag] for row in fields]

    def _numbers_rows(self, file: str, split: Split, tag_column: int) -> bool:
        """Whether the first column contains row numbers in the first blocks, at least one of which has several rows."""
        first = [split(block.rows) for block in islice(self.blocks(file, Repairs()), BLOCKS_TO_LOOK_AT)]
        return all(is_numbered(rows, tag_column) for rows in first) and max(map(len, first)) > 1

    def blocks(self, file: str, repairs: Repairs) -> Iterator[Block]:
        """Selects the blocks that become sentences."""
        comment = self.comment
        return blocks(file, self.encoding, repairs, (lambda row: row.startswith(comment)) if comment else None)

    def clean(self, tokens: list[str], block: Block, file: str, repairs: Repairs) -> list[str]:
        """Transforms the tokens of a block."""
        return tokens


def find_tags(fields: list[str]) -> int:
    """The tag column, judged by the first row: the last column, unless only another one looks like a tag."""
    if not fields or is_tag(fields[-1]):
        return -1
    return next((index for index, field in enumerate(fields) if index > 0 and is_tag(field)), -1)


def is_numbered(rows: list[list[str]], tag_column: int) -> bool:
    """Whether the first column of a block contains row numbers, from 0 or 1, rather than tokens or tags."""
    numbers = [row[0] for row in rows]
    if min(map(len, rows)) < 3 or tag_column in (0, 1) or not all(number.isdecimal() for number in numbers):
        return False
    first = int(numbers[0])
    return first in (0, 1) and [int(number) for number in numbers] == list(range(first, first + len(numbers)))


def sentence_of(
    tokens: list[str], entities: Iterable[Entity], source: str, repairs: Repairs, unknown: tuple[int, ...] = ()
) -> Iterator[Sentence]:
    """The sentence of a block without its empty tokens, if anything is left."""
    if "" not in tokens:
        yield Sentence(tuple(tokens), tuple(entities), unknown=unknown, source=source)
        return
    mentions = {str(number): Mention(entity.type, entity.fragments, source) for number, entity in enumerate(entities)}
    stretches = [(position, position + 1) for position in unknown]
    sentence = tokenised_text.sentence_of(tokens, mentions, (), repairs, source, stretches)
    if sentence.tokens:
        yield sentence
