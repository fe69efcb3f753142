"""Learning curves: both losses on the left, the validation score on the right, with the best epoch marked."""

from dataclasses import dataclass

import numpy
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ner_zoo.rendering.theme import Theme, drawn_in, name_lines

# Up to this many epochs are drawn as points on the line.
POINTS = 30


@dataclass
class LossCurve:
    """
    The logged values of a run. Each `(epochs,)`, NaN where missing.

    metric : the name of the metric in `validation_metric`, e.g. `entity_f1`. best_epoch : -1 if unknown.
    """

    epochs: numpy.ndarray
    training_loss: numpy.ndarray
    validation_loss: numpy.ndarray
    validation_metric: numpy.ndarray
    metric: str
    best_epoch: int


def loss_curve(curve: LossCurve, theme: Theme) -> Figure:
    with drawn_in(theme):
        figure = Figure(figsize=(9, 3.4))
        losses, metric = figure.subplots(1, 2)
        figure.subplots_adjust(left=0.06, right=0.91, top=0.86, bottom=0.15, wspace=0.42)
        lines = [("training", curve.training_loss, theme.quiet), ("validation", curve.validation_loss, theme.good)]
        _lines(losses, curve, lines, theme)
        losses.set_title("Loss")
        losses.set_ylim(bottom=min(0, losses.get_ylim()[0]))
        name = curve.metric.replace("_", " ").replace("f1", "F1") or "score"
        _lines(metric, curve, [("", 100 * curve.validation_metric, theme.good)], theme)
        metric.set_title(name[0].upper() + name[1:])
        _best(metric, curve, theme)
        return figure


def _lines(axes: Axes, curve: LossCurve, lines: list, theme: Theme) -> None:
    epochs = numpy.asarray(curve.epochs) + 1
    marker = "o" if len(epochs) <= POINTS else ""
    labels = []
    for name, values, colour in lines:
        is_known = numpy.isfinite(values)
        if is_known.any():
            axes.plot(epochs[is_known], values[is_known], color=colour, marker=marker, markersize=3.5)
            labels.append((epochs[is_known][-1], values[is_known][-1], name, colour))
    axes.grid(axis="y")
    axes.set_xlabel("epoch")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8, min_n_ticks=1))
    if curve.best_epoch >= 0:
        axes.axvline(curve.best_epoch + 1, color=theme.quiet, linewidth=1, linestyle=(0, (3, 3)), zorder=1)
    if not labels:
        axes.text(0.5, 0.5, "unknown", transform=axes.transAxes, ha="center", color=theme.quiet)
    name_lines(axes, labels)


def _best(axes: Axes, curve: LossCurve, theme: Theme) -> None:
    places = numpy.flatnonzero(numpy.asarray(curve.epochs) == curve.best_epoch)
    if len(places) and numpy.isfinite(curve.validation_metric[places[0]]):
        value = 100 * curve.validation_metric[places[0]]
        axes.plot([curve.best_epoch + 1], [value], "o", color=theme.bad, markersize=7)
        title = f"best: {value:.1f} in epoch {curve.best_epoch + 1}"
        axes.set_title(title, loc="right", color=theme.bad, fontsize=9)
