"""
Softmax outputs for gold entities on two principal components: colour by type, triangle if correct, circle if wrong.
"""

from collections.abc import Sequence
from typing import Any

import numpy
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from ner_zoo.analysis.analysis import LabelProbabilities
from ner_zoo.analysis.pictures.rows import WIDTH, label_margin, margins, short
from ner_zoo.analysis.pictures.type_colours import type_colours
from ner_zoo.rendering.theme import Theme, drawn_in, empty

MOST_POINTS = 4000
# With more types than this, names go next to the picture; with more than the second number, in two columns.
MOST_NAMES, LONGEST_LIST = 8, 22


def pca(labels: LabelProbabilities, all_types: Sequence[str], theme: Theme) -> Figure:
    """`all_types` are those that share the colours."""
    if len(labels.gold) < 3:
        return empty(theme, "Too few gold entities for a picture of the outputs.")
    draw = numpy.random.default_rng(0)
    kept = draw.permutation(len(labels.gold))[:MOST_POINTS]
    points, shares = components(labels.probabilities[kept])
    gold, is_right = labels.gold[kept], labels.is_right[kept]
    is_flat = shares[1] < 1e-9
    if is_flat:
        points[:, 1] = draw.uniform(-0.5, 0.5, len(points))
    colours = type_colours([*all_types, *labels.names], theme)
    with drawn_in(theme):
        figure = Figure(figsize=(WIDTH, 5.2 if not is_flat else 2.6))
        axes = figure.add_subplot()
        has_list = len(labels.names) > MOST_NAMES
        margins(figure, 0.3, label_margin(labels.names) + 0.2 if has_list else 0.2, 0.4, 0.42)
        for wanted, marker, size, alpha in ((True, "^", 26, 0.55), (False, "o", 24, 0.9)):
            chosen = is_right == wanted
            axes.scatter(
                points[chosen, 0],
                points[chosen, 1],
                marker=marker,
                s=size,
                alpha=alpha,
                c=[colours[labels.names[number]] for number in gold[chosen]],
                edgecolors=theme.paper if wanted else theme.ink,
                linewidths=0.4 if wanted else 0.7,
            )
        axes.margins(0.1)
        if has_list:
            _list_of_names(axes, gold, labels.names, colours)
        else:
            _names(axes, points, gold, labels.names, colours, theme)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_xlabel(f"first component: {100 * shares[0]:.0f} % of the variance")
        axes.set_ylabel("" if is_flat else f"second: {100 * shares[1]:.0f} %")
        wrong = int((~is_right).sum())
        axes.set_title(f"▲ right {len(kept) - wrong:,}    ● wrong {wrong:,}", fontweight="normal")
        return figure


def components(rows: NDArray) -> tuple[NDArray, NDArray]:
    """The rows projected on their first two principal components, `(n, 2)`, and the explained variance of each."""
    # There are always two: a type and `none`.
    left, values, _ = numpy.linalg.svd(rows - rows.mean(0), full_matrices=False)
    variances = values**2
    return left[:, :2] * values[:2], variances[:2] / max(1e-12, float(variances.sum()))


def _names(axes: Axes, points: NDArray, gold: NDArray, names: list[str], colours: dict[str, str], theme: Theme) -> None:
    """Writes each type's name next to the centre of its points, away from the others."""
    extent = numpy.ptp(points, axis=0).clip(min=1e-9)
    for number in sorted(set(gold.tolist())):
        middle = numpy.median(points[gold == number], 0)
        outwards = (middle - points.mean(0)) / extent
        offset = 20 * outwards / max(1e-9, float(numpy.linalg.norm(outwards)))
        frame = {"boxstyle": "round,pad=0.25", "facecolor": theme.paper, "edgecolor": colours[names[number]]}
        box = {**frame, "alpha": 0.85, "linewidth": 1.4}
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8.5, "fontweight": "bold"}
        axes.annotate(short(names[number]), middle, offset, textcoords="offset points", bbox=box, **style)


def _list_of_names(axes: Axes, gold: NDArray, names: list[str], colours: dict[str, str]) -> None:
    """Puts the names next to the picture if they would cover it."""
    present = [names[number] for number in sorted(set(gold.tolist()))]
    handles = [Line2D([], [], color=colours[name], marker="o", linestyle="", label=short(name)) for name in present]
    columns = 1 + (len(handles) - 1) // LONGEST_LIST
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.02), "ncols": columns}
    axes.legend(handles=handles, frameon=False, handletextpad=0.2, labelspacing=0.55, fontsize=8.5, **place)
