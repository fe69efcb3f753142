"""Outcomes by width, by whether the words were seen in training, by sentence length and by nesting."""

from textwrap import fill, wrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import CORRECT, Breakdown, Errors
from ner_zoo.analysis.pictures.rows import WIDTH, after, bare, key, label_margin, outcome_colours, stacked
from ner_zoo.rendering.theme import Theme, drawn_in, empty

ROW, HEAD, TOP = 0.34, 0.72, 0.35
LONGEST_LINE = 15
COLUMNS = (("recall", 0.5), ("precision", 1.1), ("gold", 1.6))


def breakdowns(errors: Errors, theme: Theme) -> Figure:
    """Two panels per row. A thick bar is gold, the thin one under it predicted."""
    parts = [part for part in errors.breakdowns if part.name != "type" and (part.groups or part.unknown)]
    if not any(part.groups for part in parts):
        return empty(theme, "There are no gold or predicted annotations.")
    lines = [parts[start : start + 2] for start in range(0, len(parts), 2)]
    heights = [HEAD + ROW * max(1, *(len(part.groups) for part in line)) for line in lines]
    with drawn_in(theme):
        figure = Figure(figsize=(WIDTH, sum(heights) + TOP))
        for column in range(2):
            rooms = [label_margin(_wrapped(line[column].groups)) for line in lines if len(line) > column]
            for number, line in enumerate(lines):
                for part in line[column : column + 1]:
                    top = TOP + sum(heights[:number]) + HEAD - 0.1
                    _panel(_axes(figure, part, column, top, max(rooms)), part, theme)
        colours = outcome_colours(theme)
        height = figure.get_size_inches()[1]
        legend = figure.add_axes((0.12 / WIDTH, 1 - 0.34 / height, 0.7, 0.01))
        legend.set_axis_off()
        key(legend, colours, list(errors.outcomes))
        place = {"x": 1 - 0.1 / WIDTH, "y": 1 - 0.24 / height, "ha": "right", "va": "center"}
        figure.text(s="thick: gold    thin: predicted", color=theme.quiet, fontsize=8, **place)
        return figure


def _wrapped(groups: list[str]) -> list[str]:
    """Wraps names into short lines."""
    return [line for group in groups for line in wrap(group, LONGEST_LINE)]


def _axes(figure: Figure, part: Breakdown, column: int, top: float, room: float) -> Axes:
    """The position of a panel, `top` inches from the upper edge, with `room` for names."""
    total = figure.get_size_inches()[1]
    left = column * WIDTH / 2 + room
    width = (column + 1) * WIDTH / 2 - COLUMNS[-1][1] - 0.15 - left
    height = ROW * max(1, len(part.groups))
    return figure.add_axes((left / WIDTH, 1 - (top + height) / total, width / WIDTH, height / total))


def _panel(axes: Axes, part: Breakdown, theme: Theme) -> None:
    bare(axes, [fill(group, LONGEST_LINE) for group in part.groups], theme)
    axes.set_xticks([])
    axes.set_xlim(0, 1)
    axes.set_title(part.title, fontsize=9.5, pad=12 if part.groups else 8)
    if part.unknown or not part.groups:
        axes.set_ylim(1, 0)
        axes.text(0, 0, fill(part.unknown or "nothing to show", 52), color=theme.quiet, fontsize=8.5, va="top")
        return
    for name, inches in COLUMNS:
        axes.text(after(axes, inches), -0.55, name, color=theme.quiet, fontsize=7.5, ha="right", va="bottom")
    for place in range(len(part.groups)):
        _row(axes, place, part, theme)


def _row(axes: Axes, place: int, part: Breakdown, theme: Theme) -> None:
    figures = []
    for counts, shift, height in ((part.gold[place], -0.12, 0.46), (part.predicted[place], 0.28, 0.16)):
        total = max(1, counts.sum())
        values = dict(zip(part.outcomes, counts / total))
        stacked(axes, place + shift, values, outcome_colours(theme), height, theme)
        figures.append(f"{100 * values[CORRECT]:.1f}" if counts.sum() else "")
    figures.append(f"{part.gold[place].sum():,}")
    for text, (name, inches) in zip(figures, COLUMNS):
        colour = theme.quiet if name == "gold" else theme.ink
        axes.text(after(axes, inches), place, text, ha="right", va="center", fontsize=8.5, color=colour)
