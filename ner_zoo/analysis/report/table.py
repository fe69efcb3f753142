"""Tables that can be sorted by clicking a column header. Without JavaScript they are plain tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ner_zoo.analysis.analysis import ComparedModel, Scores
from ner_zoo.rendering.marks import attribute


@dataclass(frozen=True)
class Cell:
    """shown : HTML. value : sort key."""

    shown: str
    value: Any


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """The first column contains names, the others figures."""
    head = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{attribute(name)}</button></th>' for name in columns
    )
    body = []
    for row in rows:
        cells = [_cell(cell, number) for number, cell in enumerate(row)]
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll"><table class="sortable"><caption>{attribute(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(cell: Cell, number: int) -> str:
    tag = "td" if number else "th"
    scope = "" if number else ' scope="row"'
    return f'<{tag}{scope} data-value="{attribute(cell.value)}">{cell.shown}</{tag}>'


def scores_table(scores: Scores, colours: Mapping[str, int], rival: ComparedModel | None = None) -> str:
    """Figures per type; with a second model, also its F1 and the difference."""
    columns = ["Type", "Gold", "Predicted", "Precision", "Recall", "F1", "Boundaries F1"]
    rows = []
    for type in sorted(scores.by_type, key=lambda name: -scores.by_type[name].gold):
        strict, boundaries = scores.by_type[type], scores.boundaries_by_type[type]
        row = [Cell(chip(type, colours), type), count(strict.gold), count(strict.predicted)]
        row += [percent(value) for value in (strict.precision, strict.recall)]
        row += [bar(strict.f1), percent(boundaries.f1)]
        if rival is not None:
            other = rival.scores.by_type.get(type)
            theirs = other.f1 if other is not None else 0.0
            row += [percent(theirs), signed(strict.f1 - theirs)]
        rows.append(row)
    columns += ["F1 of B", "A − B"] if rival is not None else []
    return table("Click a column header to sort.", columns, rows)


def chip(type: str, colours: Mapping[str, int]) -> str:
    """The name of a type in its colour."""
    colour = f" nz-c{colours[type]}" if type in colours else " plain"
    return f'<span class="nz"><span class="nz-key{colour}">{attribute(type)}</span></span>'


def count(number: int) -> Cell:
    return Cell(f"{number:,}", number)


def percent(share: float) -> Cell:
    return Cell(f"{100 * share:.1f}", share)


def signed(share: float) -> Cell:
    kind = "up" if share > 0 else "down" if share < 0 else "same"
    return Cell(f'<span class="{kind}">{100 * share:+.1f}</span>', share)


def bar(share: float) -> Cell:
    """A figure with a bar of its size in the background."""
    return Cell(f'<span class="meter" style="--share:{100 * share:.1f}%">{100 * share:.1f}</span>', share)
