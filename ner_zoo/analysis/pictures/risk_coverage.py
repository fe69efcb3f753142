"""Risk-coverage curve: the error rate among the most confident predictions, by the share that is kept."""

import numpy
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import Calibration
from ner_zoo.analysis.pictures.reliability import HALF_WIDTH
from ner_zoo.analysis.pictures.rows import margins
from ner_zoo.rendering.theme import Theme, drawn_in, empty, name_lines

SHARES = (0.5, 0.8, 1.0)


def risk_coverage(calibration: Calibration, rival: Calibration | None, theme: Theme) -> Figure:
    if not len(calibration.coverage):
        return empty(theme, "There are no predictions.")
    with drawn_in(theme):
        figure = Figure(figsize=(HALF_WIDTH, 4.3))
        axes = figure.add_subplot()
        margins(figure, 0.8, 0.35, 0.55, 0.5)
        axes.fill_between(calibration.coverage, calibration.risk, color=theme.good, alpha=0.12, linewidth=0)
        axes.plot(calibration.coverage, calibration.risk, color=theme.good)
        if rival is None or not len(rival.coverage):
            _values(axes, calibration, theme)
        else:
            axes.plot(rival.coverage, rival.risk, color=theme.bad, linewidth=1.6)
            ends = [("A", calibration, theme.good), ("B", rival, theme.bad)]
            name_lines(axes, [(one.coverage[-1], one.risk[-1], name, colour) for name, one, colour in ends])
        axes.set_title(f"Risk and coverage, area {calibration.risk_area:.3f}")
        axes.set_xlim(0, 1.02)
        axes.set_ylim(0, max(0.02, 1.15 * axes.get_ylim()[1]))
        axes.set_xticks([0, 0.5, 0.8, 1], ["0", "50 %", "80 %", "all"])
        axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
        axes.set_xlabel("predictions kept, most confident first")
        axes.set_ylabel("error rate")
        axes.grid(axis="y")
        return figure


def _values(axes: Axes, calibration: Calibration, theme: Theme) -> None:
    for share in SHARES:
        place = min(len(calibration.risk) - 1, int(numpy.searchsorted(calibration.coverage, share)))
        x, y = calibration.coverage[place], calibration.risk[place]
        axes.plot([x], [y], "o", color=theme.good, markersize=6)
        text, offset = f"{100 * y:.1f} %", (-4, 9)
        axes.annotate(text, (x, y), xytext=offset, textcoords="offset points", ha="right", fontweight="bold")
