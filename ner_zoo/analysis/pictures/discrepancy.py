"""
Discrepancy between output and truth: the ratio of their probabilities, and the D-value, the variance of all
probabilities divided by that of the true label. Up: the output is more probable than the truth; Stable: equal; Down:
less probable.
"""

from typing import Any

import numpy
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from ner_zoo.analysis.analysis import DOWN, STABLE, UP, Discrepancy
from ner_zoo.analysis.pictures.reliability import HALF_WIDTH
from ner_zoo.analysis.pictures.rows import margins
from ner_zoo.rendering.theme import Theme, drawn_in, empty

MOST_POINTS = 4000
LEAST, MOST = 1e-4, 1e4


def discrepancy_plot(discrepancy: Discrepancy, theme: Theme) -> Figure:
    total = len(discrepancy.kind)
    if not total:
        return empty(theme, "There are no gold entities.")
    kept = numpy.random.default_rng(0).permutation(total)[:MOST_POINTS]
    heights = numpy.clip(discrepancy.d_value[kept], LEAST, MOST)
    ratios, kinds = numpy.nan_to_num(discrepancy.log_ratio[kept], posinf=40, neginf=-40), discrepancy.kind[kept]
    with drawn_in(theme):
        figure = Figure(figsize=(HALF_WIDTH, 3.9))
        axes = figure.add_subplot()
        margins(figure, 0.8, 0.2, 0.5, 0.5)
        axes.axvline(0, color=theme.line, linewidth=1)
        for kind, colour, marker in ((STABLE, theme.good, "D"), (UP, theme.bad, "^"), (DOWN, theme.sixth, "v")):
            chosen = kinds == kind
            axes.scatter(ratios[chosen], heights[chosen], s=16, marker=marker, color=colour, alpha=0.55, linewidths=0)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
        reach = max(1.0, 1.1 * float(numpy.abs(ratios).max()))
        axes.set_xlim(-reach if (ratios < -1e-9).any() else -0.25 * reach, reach)
        axes.set_xlabel("log₂ (output ÷ truth)")
        axes.set_ylabel("D-value")
        axes.grid(axis="y")
        axes.set_title("Discrepancy")
        for kind, colour, x in ((DOWN, theme.sixth, 0.5), (STABLE, theme.good, 0.76), (UP, theme.bad, 1.0)):
            style: dict[str, Any] = {"color": colour, "fontweight": "bold", "fontsize": 8.5, "ha": "right"}
            axes.text(x, 1.03, f"{kind} {discrepancy.count(kind):,}", transform=axes.transAxes, **style)
        return figure
