"""
Draws `compare.png`: one dot per seed, one mark with a 95 % interval per config's mean, configs from top to bottom.

The interval is Student's t for a mean over few seeds: mean ± t(0.975, n - 1) · sd / √n.
"""

import math
import statistics
from collections.abc import Sequence

from ner_zoo.experiments.markdown import is_share
from ner_zoo.experiments.summary import DEV, TEST, Row, Summary

ROW_INCHES = 0.42
MAX_NAME = 44
BESIDE = 0.16
LEGEND = "●  one seed     ◆  mean, 95 % interval     ┊  the first config"


def draw(summary: Summary) -> bytes:
    """A PNG with one column for dev and, if available, one for test, for the first metric."""
    from matplotlib.figure import Figure

    from ner_zoo.analysis.pictures.rows import short
    from ner_zoo.rendering.theme import LIGHT, drawn_in, empty, png

    metric = summary.metrics[0] if summary.metrics else ""
    splits = [split for split in (DEV, TEST) if any(metric in row.figures.get(split, {}) for row in summary.rows)]
    if not splits:
        return png(empty(LIGHT, "No run is finished."))
    rows = summary.rows
    names = ["\n".join(short(part, MAX_NAME) for part in (row.config, row.variant) if part) for row in rows]
    left = 0.35 + 0.075 * max(len(part) for name in names for part in name.split("\n"))
    width, height = left + 4.2 * len(splits) + 0.3, 1.15 + ROW_INCHES * len(rows)
    with drawn_in(LIGHT):
        figure = Figure(figsize=(width, height))
        every = figure.subplots(1, len(splits), sharey=True, squeeze=False)[0]
        figure.subplots_adjust(left / width, 0.7 / height, 1 - 0.25 / width, 1 - 0.4 / height, wspace=0.08)
        for axes, split in zip(every, splits):
            _draw_split(axes, rows, split, metric)
            axes.set_title(f"{split}: {metric}" + (", %" if is_share(metric) else ""))
        every[0].set_yticks(range(len(rows)), names)
        every[0].set_ylim(len(rows) - 0.4, -0.6)
        for label in every[0].get_yticklabels():
            label.set_color(LIGHT.ink)
        figure.text(left / width, 0.14 / height, LEGEND, color=LIGHT.quiet, fontsize=8)
        return png(figure)


def _draw_split(axes: "Axes", rows: Sequence[Row], split: str, metric: str) -> None:  # type: ignore # noqa: F821
    from ner_zoo.rendering.theme import LIGHT

    scale = 100 if is_share(metric) else 1
    limits: list[float] = []
    for place, row in enumerate(rows):
        figure = row.figures.get(split, {}).get(metric)
        if figure is None:
            where = {"xycoords": ("axes fraction", "data"), "va": "center"}
            axes.annotate("not finished", (0.02, place), color=LIGHT.quiet, backgroundcolor=LIGHT.paper, **where)
            continue
        scores = [scale * score for score in figure.scores]
        colour = LIGHT.quiet if place == 0 else LIGHT.good
        if place == 0:
            axes.axvline(statistics.mean(scores), color=LIGHT.quiet, linewidth=1, linestyle=(0, (2, 2)), zorder=0)
        low, high = interval(scores)
        axes.plot([low, high], [place, place], color=colour, linewidth=2.5, zorder=2, solid_capstyle="butt")
        axes.plot(statistics.mean(scores), place, "D", color=colour, markersize=6, zorder=3)
        axes.plot(scores, [place + BESIDE] * len(scores), "o", color=colour, alpha=0.55, markersize=4, zorder=1)
        limits += [*scores, *_shown(low, high, scores)]
    span = max(limits) - min(limits) or 1.0
    axes.set_xlim(min(limits) - 0.06 * span, max(limits) + 0.06 * span)
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean; for a single score, the score itself."""
    mean = statistics.mean(scores)
    if len(scores) < 2:
        return mean, mean
    from scipy.stats import t

    half = float(t.ppf(0.975, len(scores) - 1)) * statistics.stdev(scores) / math.sqrt(len(scores))
    return mean - half, mean + half


def _shown(low: float, high: float, scores: Sequence[float]) -> tuple[float, float]:
    """How much of an interval to show: with two seeds it may be so wide that nothing else would be visible."""
    most = 4 * (max(scores) - min(scores))
    mean = statistics.mean(scores)
    return max(low, mean - most), min(high, mean + most)
