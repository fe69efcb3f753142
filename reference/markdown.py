"""Markdown helpers for all pages of the reference."""

from collections.abc import Iterable, Sequence

from reference.options import Option


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; vertical bars in cells are escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell(one) for one in line)} |" for line in lines)


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Inline code, even for a text with a backtick."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def option_table(options: Sequence[Option]) -> str:
    if not options:
        return "No options."
    rows = [
        (code(one.name), one.type, "required" if one.default is None else code(one.default), one.description)
        for one in options
    ]
    return table(("option", "type", "default", "description"), rows)


def document(title: str, introduction: str, *sections: str) -> str:
    """A page with a note that it is generated."""
    note = "<!-- Written by `python -m reference`. Edit the docstrings and help texts in the code instead. -->"
    return "\n\n".join([f"# {title}", note, introduction, *sections]) + "\n"
