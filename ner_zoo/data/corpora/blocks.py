"""
A column file is blocks of rows: a row per token, an empty line or a structure row (`-DOCSTART-`, a comment) between.

Only this is common to all column files; what the fields of a row mean is for each corpus to say. Rows are cut at
TABs, or at blanks where the first row has no TAB. A token may be a SPACE, a no-break space or a control character, so
nothing is stripped from the left and only ASCII blanks part fields.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.text_file import lines
from ner_zoo.data.repairs import Repairs

# Rows to fields.
Split = Callable[[list[str]], list[list[str]]]

# `-DOCSTART-`, in the first column or in another, alone or with any columns or a document name after it.
DOCSTART = re.compile(r"(^|[ \t])[-<]+DOCSTART[->]+([ \t]|$)", re.IGNORECASE)
# No sentence is so long: the file has another form, and would be kept in memory whole.
MOST_ROWS = 200_000


class Block(NamedTuple):
    """Rows that stand together. `rows[i]` is line `line + i` of the file."""

    line: int
    rows: list[str]


def blocks(
    file: str,
    encoding: str | None,
    repairs: Repairs,
    is_structure: Callable[[str], bool] | None = None,
    cut_before: Callable[[str, str], bool] | None = None,
) -> Iterator[Block]:
    """
    The blocks of a file. `-DOCSTART-` rows, and rows of which `is_structure` is true, belong to none; they may be
    glued to the next sentence, and end the one before. `cut_before` tells of two rows whether a new block begins at
    the second.
    """
    rows: list[str] = []
    first, is_empty = 1, True
    for number, line in lines(file, encoding, repairs):
        if (
            not line
            or line.isspace()
            or ((line[0] in "-<" or "DOCSTART" in line) and DOCSTART.search(line))
            or (is_structure is not None and is_structure(line))
        ):
            if rows:
                yield Block(first, rows)
                is_empty, rows = False, []
            continue
        if not rows:
            first = number
        elif cut_before is not None and cut_before(rows[-1], line):
            yield Block(first, rows)
            is_empty, first, rows = False, number, []
        elif len(rows) == MOST_ROWS:
            raise ConfigurationError(
                f"{file}:{number} is row {MOST_ROWS + 1} of a sentence. Sentences should end at an empty line: "
                "check that the reader fits the file."
            )
        rows.append(line)
    if rows:
        yield Block(first, rows)
        is_empty = False
    if is_empty:
        repairs.add("file without a sentence", f"{file}:1")


def splitter(row: str, delimiter: str | None = None) -> Split:
    """How to cut the rows of a file whose first row is `row`: at the delimiter given, else at TABs, else at blanks."""
    if delimiter is None:
        delimiter = "\t" if "\t" in row else " "
    if delimiter == " ":
        return _split_rows_at_blanks
    return partial(_split_rows_at, delimiter=delimiter)


def _split_rows_at(rows: list[str], delimiter: str) -> list[list[str]]:
    # Nearly all rows are plain, and cut fastest like this; the others are looked at again.
    plain = [row.split(delimiter) for row in rows]
    return [
        fields if fields[0] and fields[-1] and fields[-1][-1] != " " else split_at(row, delimiter)
        for fields, row in zip(plain, rows)
    ]


def _split_rows_at_blanks(rows: list[str]) -> list[list[str]]:
    plain = [row.split(" ") for row in rows]
    return [split_at_blanks(row) if "" in fields or "\t" in row else fields for fields, row in zip(plain, rows)]


def split_at(row: str, delimiter: str) -> list[str]:
    """
    The fields between single delimiters; blanks and delimiters that end the row are none. A delimiter may be the
    token.
    """
    fields = row.rstrip(" \t" + delimiter).split(delimiter)
    if len(fields) > 2 and fields[0] == fields[1] == "":
        return [delimiter, *fields[2:]]
    return fields


def split_at_blanks(row: str) -> list[str]:
    """
    The fields between runs of spaces and TABs. A row that begins with one blank has an empty token, with two a space.
    """
    fields = row.rstrip(" \t").replace("\t", " ").split(" ")
    if "" not in fields:
        return fields
    kept = [field for field in fields if field]
    if fields[0] == "" and len(fields) - len(kept) < 3:
        return [" " if fields[1] == "" else "", *kept]
    return kept


def check_width(fields: list[list[str]], least: int, block: Block, file: str) -> None:
    """Every row must have at least `least` fields."""
    if min(map(len, fields)) >= least:
        return
    for offset, row in enumerate(fields):
        if len(row) < least:
            shown = block.rows[offset] if len(block.rows[offset]) < 60 else block.rows[offset][:60] + "…"
            raise ConfigurationError(
                f"{file}:{block.line + offset} has {len(row)} column(s) where at least {least} belong: {shown!r}. "
                "Check the file, the columns given to the reader, and the delimiter."
            )
