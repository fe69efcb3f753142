"""
Precision, recall and F1 of each type: strict in front, boundary-only behind it.

The pale part of a bar is lost to wrong types, the missing part on the right to wrong boundaries or missed entities.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import Scores
from ner_zoo.analysis.pictures.rows import WIDTH, bare, label_margin, margins
from ner_zoo.analysis.pictures.type_colours import type_colours
from ner_zoo.rendering.theme import Theme, drawn_in, empty

ALL = "all"


def by_type(scores: Scores, all_types: Sequence[str], theme: Theme) -> Figure:
    """Types with the most gold annotations come first. `all_types` are those that share the colours."""
    types = sorted(scores.by_type, key=lambda type: -scores.by_type[type].gold)
    if not types:
        return empty(theme, "There are no gold or predicted annotations.")
    rows = [(ALL, scores.strict, scores.boundaries)] if len(types) > 1 else []
    rows += [(type, scores.by_type[type], scores.boundaries_by_type[type]) for type in types]
    colours = {**type_colours([*all_types, *types], theme), ALL: theme.quiet}
    with drawn_in(theme):
        figure = Figure(figsize=(WIDTH, 0.3 * len(rows) + 1.05))
        panels = figure.subplots(1, 3, sharey=True)
        margins(figure, label_margin([f"{name}  {score.gold:,}" for name, score, _ in rows]), 0.5, 0.75, 0.1)
        for axes, measure in zip(panels, ("precision", "recall", "f1")):
            strict = [100 * getattr(score, measure) for _, score, _ in rows]
            boundaries = [100 * getattr(score, measure) for _, _, score in rows]
            _bars(axes, strict, boundaries, [colours[name] for name, _, _ in rows], theme)
            axes.set_title(measure.capitalize())
            bare(axes, [f"{name}  {score.gold:,}" for name, score, _ in rows], theme)
            axes.set_xlim(0, 100)
            axes.set_xticks([])
        figure.text(
            0.08 / WIDTH,
            1 - 0.16 / figure.get_size_inches()[1],
            "strong: type and boundaries right    pale: boundaries right    next to the name: gold annotations",
            color=theme.quiet,
            fontsize=8,
            va="center",
        )
        return figure


def _bars(axes: Axes, strict: list[float], boundaries: list[float], colours: list[str], theme: Theme) -> None:
    places = range(len(strict))
    axes.barh(places, 100, height=0.66, color=theme.line, alpha=0.35)
    axes.barh(places, boundaries, height=0.66, color=colours, alpha=0.35)
    axes.barh(places, strict, height=0.66, color=colours)
    for place, value in enumerate(strict):
        axes.text(102, place, f"{value:.1f}", va="center", fontsize=8.5, color=theme.ink, clip_on=False)
