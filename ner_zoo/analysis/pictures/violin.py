"""The probability of the true label for right and wrong predictions, with medians."""

import numpy
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ner_zoo.analysis.analysis import LabelProbabilities
from ner_zoo.analysis.pictures.reliability import HALF_WIDTH
from ner_zoo.analysis.pictures.rows import margins
from ner_zoo.rendering.theme import Theme, drawn_in, empty

GRID = numpy.linspace(0, 1, 201)


def violin(labels: LabelProbabilities, theme: Theme) -> Figure:
    if not len(labels.gold):
        return empty(theme, "There are no gold entities.")
    sides = [("right", labels.is_right, theme.good), ("wrong", ~labels.is_right, theme.bad)]
    with drawn_in(theme):
        figure = Figure(figsize=(HALF_WIDTH, 3.9))
        axes = figure.add_subplot()
        margins(figure, 0.6, 0.2, 0.5, 0.4)
        for place, (_, chosen, colour) in enumerate(sides):
            values = labels.true_probability[chosen]
            if not len(values):
                axes.text(place, 0.5, "none", ha="center", color=theme.quiet)
                continue
            shape = 0.36 * density(values)
            axes.fill_betweenx(GRID, place - shape, place + shape, color=colour, alpha=0.45, linewidth=0)
            axes.plot(place - shape, GRID, color=colour, linewidth=1.2)
            axes.plot(place + shape, GRID, color=colour, linewidth=1.2)
            low, middle, high = numpy.quantile(values, (0.25, 0.5, 0.75))
            axes.vlines(place, low, high, color=theme.ink, linewidth=4, alpha=0.8)
            axes.plot([place], [middle], "o", color=theme.paper, markeredgecolor=theme.ink, markersize=7, zorder=4)
            axes.annotate(
                f"median {middle:.2f}",
                (place, middle),
                xytext=(10, 0),
                textcoords="offset points",
                va="center",
                fontweight="bold",
                bbox={"boxstyle": "round,pad=0.15", "facecolor": theme.paper, "edgecolor": "none", "alpha": 0.75},
            )
        names = [f"{name}  {int(chosen.sum()):,}" for name, chosen, _ in sides]
        axes.set_xticks([0, 1], names)
        axes.tick_params(axis="x", length=0, labelcolor=theme.ink)
        axes.set_xlim(-0.5, 1.6)
        axes.set_ylim(0, 1)
        axes.set_ylabel("probability of the true label")
        axes.grid(axis="y")
        axes.set_title("Probability of the true label")
        return figure


def density(values: NDArray) -> NDArray:
    """The density on `GRID`, at most 1: Gaussian kernels, mirrored at 0 and 1 so that nothing lies outside."""
    spread = float(values.std()) * len(values) ** -0.2
    width = min(0.1, max(0.02, 1.06 * spread))
    mirrored = numpy.concatenate([values, -values, 2 - values])
    counts, edges = numpy.histogram(mirrored, bins=600, range=(-1, 2))
    middles = (edges[1:] + edges[:-1]) / 2
    heights = numpy.exp(-(((GRID[:, None] - middles) / width) ** 2) / 2) @ counts
    return heights / heights.max()
