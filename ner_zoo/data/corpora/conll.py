"""
CoNLL-2002, CoNLL-2003, and any file with one token and one tag per row: columns by number or name, any tag scheme.

    {"type": "conll"}                                                              CoNLL-2002, CoNLL-2003, Resume, ...
    {"type": "conll", "segmentation_digits": true}                                 Weibo: `科0`, `技1`
    {"type": "conll", "columns": ["tag", "id", "word"], "token_column": "word", "tag_column": "tag"}
"""

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.data.corpora.blocks import DOCSTART, Block, splitter
from ner_zoo.data.corpora.columns import ColumnCorpus, find_tags
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tag_column import is_tag
from ner_zoo.data.repairs import Repairs

# The minimum share of rows with a valid tag; the others are treated as damaged.
MOSTLY = 0.9


@Corpus.register("conll")
class Conll(ColumnCorpus):
    """
    columns : the names of the columns, to refer to them by name.
    token_column, tag_column : number (negative: from the right) or name of the column.
    segmentation_digits : whether every token ends in a digit that gives its position in the word and is not part of it.

    The other options are those of `ColumnCorpus`. With `scheme` IO, tags may be bare types.
    """

    def __init__(
        self,
        columns: list[str] | None = None,
        token_column: int | str | None = None,
        tag_column: int | str | None = None,
        delimiter: str | None = None,
        scheme: str | None = None,
        encoding: str | None = None,
        unknown_tag: str | None = None,
        comment: str | None = None,
        segmentation_digits: bool = False,
    ) -> None:
        super().__init__(
            encoding=encoding,
            delimiter=delimiter,
            token_column=None if token_column is None else _number_of(token_column, columns),
            tag_column=None if tag_column is None else _number_of(tag_column, columns),
            scheme=scheme,
            unknown_tag=unknown_tag,
            comment=comment,
        )
        self.segmentation_digits = segmentation_digits

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        rows = _tokens_and_tags(sample)
        if not rows or len(rows[0]) < 2:
            return None
        column = find_tags(rows[0])
        tags = sum(is_tag(row[column]) for row in rows if len(row) > max(1, column))
        is_ours = is_tag(rows[0][column]) and tags > MOSTLY * len(rows)
        return f"column {column % len(rows[0]) + 1} of its rows contains tags" if is_ours else None

    @overrides
    def clean(self, tokens: list[str], block: Block, file: str, repairs: Repairs) -> list[str]:
        if not self.segmentation_digits:
            return tokens
        cleaned = []
        for offset, token in enumerate(tokens):
            if len(token) > 1 and token[-1].isdigit():
                cleaned.append(token[:-1])
            else:
                repairs.add("token without a segmentation digit kept whole", f"{file}:{block.line + offset}")
                cleaned.append(token)
        return cleaned


def _tokens_and_tags(sample: Sample) -> list[list[str]]:
    """The columns of the rows, without rows that end or name a document."""
    rows = [row for row in sample.rows if not DOCSTART.search(row)]
    return splitter(rows[0])(rows) if rows else []


def _number_of(column: int | str, columns: list[str] | None) -> int:
    if isinstance(column, int):
        return column
    if column.lstrip("-").isdigit():
        return int(column)
    if not columns or column not in columns:
        known = ", ".join(columns) if columns else "none, because `columns` is not set"
        raise ConfigurationError(f"There is no column {column!r}. Known columns: {known}.")
    return columns.index(column)
