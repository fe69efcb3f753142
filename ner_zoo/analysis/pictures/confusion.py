"""Confusion matrix: gold in rows, predicted in columns, coloured by the share of the row."""

import numpy
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ner_zoo.analysis.analysis import Errors
from ner_zoo.analysis.pictures.rows import WIDTH, label_margin, margins, short
from ner_zoo.rendering.theme import Theme, drawn_in, empty, readable_on

LARGEST_CELL = 0.62


def confusion(errors: Errors, theme: Theme) -> Figure:
    """Correct predictions are on the diagonal in blue, errors in orange."""
    names, counts = errors.confusion_names, errors.confusion
    if not counts.sum():
        return empty(theme, "There are no gold or predicted annotations.")
    shown = [short(name) for name in names]
    left = label_margin(shown) + 0.25
    size = min(LARGEST_CELL, (WIDTH - left - 0.9) / len(names))
    with drawn_in(theme):
        slanted = len(names) > 3
        slope = 0.62 * label_margin(shown) if slanted else 0.25
        width, height = left + size * len(names) + (slope if slanted else 0.2), 0.78 * size * len(names)
        figure = Figure(figsize=(max(4.0, width), height + slope + 0.4))
        axes = figure.add_subplot()
        margins(figure, left, figure.get_size_inches()[0] - left - size * len(names), slope + 0.3, 0.1)
        _cells(axes, counts, theme)
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(names) - 0.5, -0.5)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(names)), shown)
        axes.set_xticks(range(len(names)), shown, rotation=45 if slanted else 0, ha="left" if slanted else "center")
        axes.tick_params(length=0, labelcolor=theme.ink, pad=2)
        width, height = figure.get_size_inches()
        figure.text(0.1 / width, 1 - 0.18 / height, "rows: gold    columns: predicted", color=theme.quiet, fontsize=8)
        return figure


def _cells(axes: Axes, counts: NDArray, theme: Theme) -> None:
    right = LinearSegmentedColormap.from_list("right", [theme.paper, theme.good])
    wrong = LinearSegmentedColormap.from_list("wrong", [theme.paper, theme.bad])
    shares = counts / counts.sum(1, keepdims=True).clip(min=1)
    # Otherwise a few confusions among many correct predictions would be invisible.
    colours = wrong(numpy.minimum(1.0, 2.5 * shares))  # (names, names, 4)
    numpy.einsum("iic->ic", colours)[:] = right(shares.diagonal())
    axes.imshow(colours, aspect="auto", interpolation="nearest")
    edges = numpy.arange(len(counts) + 1) - 0.5
    axes.hlines(edges, -0.5, len(counts) - 0.5, color=theme.line, linewidth=0.6)
    axes.vlines(edges, -0.5, len(counts) - 0.5, color=theme.line, linewidth=0.6)
    size = 8.5 if len(counts) <= 10 else 7.5
    for row, column in zip(*counts.nonzero()):
        text, colour = f"{counts[row, column]:,}", readable_on(colours[row, column])
        axes.text(column, row, text, ha="center", va="center", fontsize=size, color=colour)
