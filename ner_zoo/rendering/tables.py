"""Tables of text: for a terminal, and in Markdown."""

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]], left_columns: int = 1) -> list[str]:
    """A line for each row, its cells in aligned columns; all but the first columns are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*_filled(rows))]
    return ["  ".join(_aligned(row, widths, left_columns)).rstrip() for row in _filled(rows)]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left_columns: int = 1) -> str:
    """Markdown that can also be read as it is."""
    cells = _filled([[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)])
    widths = [max(3, *map(len, column)) for column in zip(*cells)]
    rule = ["-" * width if i < left_columns else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    lines = [_aligned(row, widths, len(widths)) for row in cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


def _filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows with empty cells where some are shorter than others."""
    columns = max(len(row) for row in rows)
    return [[*row, *[""] * (columns - len(row))] for row in rows]


def _aligned(row: Sequence[str], widths: Sequence[int], left_columns: int) -> list[str]:
    return [
        cell.ljust(width) if i < left_columns else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))
    ]
