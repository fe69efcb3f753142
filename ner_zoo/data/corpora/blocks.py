"""
Splits a column file into blocks of rows: one row per token, separated by empty lines or structure rows (`-DOCSTART-`,
comments).

This is all that column files have in common; each corpus defines the meaning of the columns. Rows are split at TABs, or
at spaces if the first row has no TAB. A token may be a SPACE, a no-break space or a control character, so nothing is
stripped from the left, and only ASCII white space separates columns.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.text_file import lines
from ner_zoo.data.repairs import Repairs

# Splits rows into columns.
Split = Callable[[list[str]], list[list[str]]]

# `-DOCSTART-`, in any column, alone or followed by any columns or a document name.
DOCSTART = re.compile(r"(^|[ \t])[-<]+DOCSTART[->]+([ \t]|$)", re.IGNORECASE)
# No sentence is this long. The file must be in another format, and would have to be kept in memory.
MOST_ROWS = 200_000


class Block(NamedTuple):
    """Consecutive rows. `rows[i]` is line `line + i` of the file."""

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
    The blocks of a file. `-DOCSTART-` rows and rows for which `is_structure` is true belong to no block; they may
    directly precede the next sentence, and end the previous one. `cut_before` decides for two rows whether a new block
    starts at the second.
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
                f"{file}:{number} is row {MOST_ROWS + 1} of a sentence. Sentences must end at an empty line: "
                "check that this is the right reader for the file."
            )
        rows.append(line)
    if rows:
        yield Block(first, rows)
        is_empty = False
    if is_empty:
        repairs.add("file without a sentence", f"{file}:1")


def splitter(row: str, delimiter: str | None = None) -> Split:
    """The function that splits rows: at the given delimiter, else at TABs if the first row has one, else at spaces."""
    if delimiter is None:
        delimiter = "\t" if "\t" in row else " "
    if delimiter == " ":
        return _split_rows_at_blanks
    return partial(_split_rows_at, delimiter=delimiter)


def _split_rows_at(rows: list[str], delimiter: str) -> list[list[str]]:
    # Fast path for plain rows, which are the vast majority; the others are examined again.
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
    Splits a row at single delimiters, ignoring trailing spaces and delimiters. A delimiter may itself be the token.
    """
    fields = row.rstrip(" \t" + delimiter).split(delimiter)
    if len(fields) > 2 and fields[0] == fields[1] == "":
        return [delimiter, *fields[2:]]
    return fields


def split_at_blanks(row: str) -> list[str]:
    """
    Splits a row at runs of spaces and TABs. A row with one leading space has an empty token, with two a space.
    """
    fields = row.rstrip(" \t").replace("\t", " ").split(" ")
    if "" not in fields:
        return fields
    kept = [field for field in fields if field]
    if fields[0] == "" and len(fields) - len(kept) < 3:
        return [" " if fields[1] == "" else "", *kept]
    return kept


def check_width(fields: list[list[str]], least: int, block: Block, file: str) -> None:
    """Checks that every row has at least `least` columns."""
    if min(map(len, fields)) >= least:
        return
    for offset, row in enumerate(fields):
        if len(row) < least:
            shown = block.rows[offset] if len(block.rows[offset]) < 60 else block.rows[offset][:60] + "…"
            raise ConfigurationError(
                f"{file}:{block.line + offset} has {len(row)} column(s), but at least {least} are expected: {shown!r}. "
                "Check the file, the reader's columns, and the delimiter."
            )
