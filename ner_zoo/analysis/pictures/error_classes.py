"""
Outcomes of gold annotations and predictions: correct, or one class of error; overall, and by type.
"""

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import Breakdown, Errors
from ner_zoo.analysis.pictures.rows import WIDTH, bare, key, label_margin, margins, outcome_colours, stacked
from ner_zoo.rendering.theme import Theme, drawn_in, empty, readable_on


def error_classes(errors: Errors, theme: Theme) -> Figure:
    if not errors.gold.sum() + errors.predicted.sum():
        return empty(theme, "There are no gold or predicted annotations.")
    colours = outcome_colours(theme)
    by_type = next((part for part in errors.breakdowns if part.name == "type" and len(part.groups) > 1), None)
    names = [] if by_type is None else by_type.groups
    with drawn_in(theme):
        figure = Figure(figsize=(WIDTH, 1.15 + (0.26 * len(names) + 0.45 if names else 0)))
        heights = [2.0, max(0.01, 0.82 * len(names))]
        panels = figure.subplots(
            2 if names else 1, 1, squeeze=False, gridspec_kw={"height_ratios": heights[: 1 + bool(names)]}
        )
        margins(figure, max(label_margin(names), 1.0), 0.6, 0.4, 0.12)
        figure.subplots_adjust(hspace=0.45 / (0.1 + 0.13 * len(names)) * 0.5 if names else 0)
        top = panels[0][0]
        for place, counts in enumerate((errors.gold, errors.predicted)):
            values = dict(zip(errors.outcomes, counts / max(1, counts.sum())))
            stacked(top, place, values, colours, 0.74, theme)
            top.text(1.01, place, f"{counts.sum():,}", va="center", color=theme.quiet, fontsize=8.5)
            _shares(top, place, values, colours)
        bare(top, ["gold", "predicted"], theme)
        key(top, colours, [f"{name} {_count(errors, name):,}" for name in errors.outcomes])
        if by_type is not None:
            _types(panels[1][0], by_type, theme)
        for axes in panels[:, 0]:
            axes.set_xlim(0, 1)
            axes.set_xticks([])
        return figure


def _count(errors: Errors, outcome: str) -> int:
    place = errors.outcomes.index(outcome)
    return int(max(errors.gold[place], errors.predicted[place]))


def _shares(axes: Axes, place: float, values: dict[str, float], colours: dict[str, str]) -> None:
    """Percentages inside the segments that are wide enough."""
    left = 0.0
    for name, value in values.items():
        if value >= 0.05:
            colour = readable_on(to_rgb(colours[name]))
            axes.text(
                left + value / 2, place, f"{100 * value:.0f} %", ha="center", va="center", fontsize=8, color=colour
            )
        left += value


def _types(axes: Axes, by_type: Breakdown, theme: Theme) -> None:
    order = sorted(range(len(by_type.groups)), key=lambda row: -by_type.gold[row].sum())
    for place, row in enumerate(by_type.gold[order]):
        shares = dict(zip(by_type.outcomes, row / max(1, row.sum())))
        stacked(axes, place, shares, outcome_colours(theme), 0.7, theme)
        axes.text(1.01, place, f"{row.sum():,}", va="center", color=theme.quiet, fontsize=8.5)
    bare(axes, [by_type.groups[row] for row in order], theme)
    axes.set_title("Outcomes of gold annotations by type", fontsize=9, fontweight="normal", color=theme.quiet, pad=4)
