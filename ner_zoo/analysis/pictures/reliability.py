"""
Reliability diagram: of predictions with a probability of about 80 %, about 80 % should be correct (the dotted line).
"""

import numpy
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import Calibration, Tempered
from ner_zoo.analysis.pictures.rows import margins
from ner_zoo.rendering.theme import Theme, drawn_in, empty

HALF_WIDTH = 4.5


def reliability(calibration: Calibration, tempered: Tempered | None, theme: Theme) -> Figure:
    """Below it, the number of predictions by probability."""
    if not len(calibration.scores):
        return empty(theme, "There are no predictions.")
    with drawn_in(theme):
        figure = Figure(figsize=(HALF_WIDTH, 4.3))
        upper, lower = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [5, 1], "hspace": 0.12})
        margins(figure, 0.8, 0.25, 0.55, 0.5)
        upper.plot([0, 1], [0, 1], color=theme.quiet, linewidth=1, linestyle=(0, (1, 2)))
        _line(upper, calibration, theme.good)
        if tempered is not None:
            _line(upper, tempered.calibration, theme.bad)
            upper.text(0.03, 0.97, "uncalibrated", color=theme.good, fontweight="bold", va="top")
            text = f"with temperature {tempered.temperature:.2f}"
            upper.text(0.03, 0.90, text, color=theme.bad, fontweight="bold", va="top")
        upper.set_title(_title(calibration, tempered))
        upper.set_ylabel("share of correct predictions")
        upper.set_ylim(-0.02, 1.02)
        upper.set_xlim(-0.02, 1.02)
        upper.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
        upper.grid(axis="y")
        upper.tick_params(axis="x", length=0)
        widths = numpy.diff(calibration.edges)
        lower.bar(calibration.edges[:-1] + widths / 2, calibration.counts, width=widths * 0.9, color=theme.good)
        lower.set_yticks([int(calibration.counts.max())], [f"{int(calibration.counts.max()):,}"])
        lower.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
        lower.set_xlabel("predicted probability")
        lower.spines["left"].set_visible(False)
        return figure


def _title(calibration: Calibration, tempered: Tempered | None) -> str:
    title = f"Calibration error {100 * calibration.ece:.1f} %"
    return title if tempered is None else f"{title} → {100 * tempered.calibration.ece:.1f} %"


def _line(axes: Axes, calibration: Calibration, colour: str) -> None:
    is_known = calibration.counts > 0
    x, y, counts = (values[is_known] for values in (calibration.confidence, calibration.accuracy, calibration.counts))
    axes.vlines(x, x, y, color=colour, alpha=0.35, linewidth=4)
    axes.plot(x, y, color=colour, linewidth=1.6)
    axes.scatter(x, y, s=18 + 130 * counts / counts.max(), color=colour, zorder=3, linewidths=0)
