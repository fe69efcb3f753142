"""Agreement of two models on gold entities: found by both, by only one, or by neither; by type."""

import numpy
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ner_zoo.analysis.pictures.rows import WIDTH, after, bare, key, label_margin, margins, stacked
from ner_zoo.rendering.theme import Theme, drawn_in, empty

OUTCOMES = ("both", "A", "B", "neither")


def agreement(counts: dict[str, NDArray], theme: Theme) -> Figure:
    """Types with the most gold entities come first."""
    total = sum(counts.values(), numpy.zeros(4, dtype=int))
    if not total.sum():
        return empty(theme, "There are no gold entities.")
    types = sorted(counts, key=lambda type: -int(counts[type].sum()))
    rows = [(type, counts[type]) for type in types]
    if len(rows) > 1:
        rows.insert(0, ("all", total))
    colours = dict(zip(OUTCOMES, (theme.line, theme.good, theme.bad, theme.fifth)))
    with drawn_in(theme):
        figure = Figure(figsize=(WIDTH, 0.3 * len(rows) + 0.6))
        axes = figure.add_subplot()
        margins(figure, label_margin([name for name, _ in rows]), 1.5, 0.4, 0.12)
        columns = (("A", 0.45, theme.good), ("B", 0.85, theme.bad), ("gold", 1.4, theme.quiet))
        for place, (_, row) in enumerate(rows):
            stacked(axes, place, dict(zip(OUTCOMES, row / max(1, row.sum()))), colours, 0.7, theme)
            for (_, inches, colour), value in zip(columns, (row[1], row[2], row.sum())):
                x = after(axes, inches)
                axes.text(x, place, f"{int(value):,}", ha="right", va="center", fontsize=8.5, color=colour)
        for name, inches, colour in columns:
            x = after(axes, inches)
            axes.text(x, -0.68, name, ha="right", va="bottom", fontsize=8.5, color=colour, fontweight="bold")
        names = dict(zip(OUTCOMES, ("both", "A alone", "B alone", "neither")))
        key(axes, colours, [f"{names[name]} {int(value):,}" for name, value in zip(OUTCOMES, total)])
        bare(axes, [name for name, _ in rows], theme)
        axes.set_xlim(0, 1)
        axes.set_xticks([])
        return figure
