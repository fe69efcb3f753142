"""
CoNLL-2002, CoNLL-2003, and any file with a token and a tag per row: columns by number or by name, any tag scheme.

    {"type": "conll"}                                                              CoNLL-2002, CoNLL-2003, Resume, ...
    {"type": "conll", "segmentation_digits": true}                                 Weibo: `科0`, `技1`
    {"type": "conll", "columns": ["tag", "id", "word"], "token_column": "word", "tag_column": "tag"}
"""

from typing import List, Optional, Union

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.data.corpora.blocks import Block
from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs


@Corpus.register("conll")
class Conll(ColumnCorpus):
    """
    columns : the names of the columns, if columns are to be given by name.
    token_column, tag_column : number (negative from the right) or name.
    segmentation_digits : every token ends in a digit, its place in its word, that is not part of it.

    The others are those of `ColumnCorpus`. With `scheme` IO the tags may be bare types.
    """

    def __init__(
        self,
        columns: Optional[List[str]] = None,
        token_column: Union[int, str] = 0,
        tag_column: Optional[Union[int, str]] = None,
        delimiter: Optional[str] = None,
        scheme: Optional[str] = None,
        encoding: Optional[str] = None,
        unknown_tag: Optional[str] = None,
        comment: Optional[str] = None,
        segmentation_digits: bool = False,
    ) -> None:
        super().__init__(
            encoding=encoding,
            delimiter=delimiter,
            token_column=_number_of(token_column, columns),
            tag_column=None if tag_column is None else _number_of(tag_column, columns),
            scheme=scheme,
            unknown_tag=unknown_tag,
            comment=comment,
        )
        self.segmentation_digits = segmentation_digits

    @overrides
    def clean(self, tokens: List[str], block: Block, file: str, repairs: Repairs) -> List[str]:
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


def _number_of(column: Union[int, str], columns: Optional[List[str]]) -> int:
    if isinstance(column, int):
        return column
    if column.lstrip("-").isdigit():
        return int(column)
    if not columns or column not in columns:
        known = ", ".join(columns) if columns else "none, because `columns` is not given"
        raise ConfigurationError(f"There is no column {column!r}. The names of the columns are: {known}.")
    return columns.index(column)
