"""Text tables, for terminals and in Markdown."""

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]], left_columns: int = 1) -> list[str]:
    """One line per row with aligned columns; all but the first columns are right-aligned."""
    widths = [max(map(len, column)) for column in zip(*_filled(rows))]
    return ["  ".join(_aligned(row, widths, left_columns)).rstrip() for row in _filled(rows)]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left_columns: int = 1) -> str:
    """A Markdown table that is also readable as plain text."""
    cells = _filled([[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)])
    widths = [max(3, *map(len, column)) for column in zip(*cells)]
    rule = ["-" * width if i < left_columns else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    lines = [_aligned(row, widths, len(widths)) for row in cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


def _filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pads rows with empty cells to equal length."""
    columns = max(len(row) for row in rows)
    return [[*row, *[""] * (columns - len(row))] for row in rows]


def _aligned(row: Sequence[str], widths: Sequence[int], left_columns: int) -> list[str]:
    return [
        cell.ljust(width) if i < left_columns else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))
    ]
