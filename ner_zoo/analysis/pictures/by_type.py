"""
Precision, recall and F1 of each type: strict in front, by boundaries alone behind it.

What of a bar is pale is lost by wrong types, what is missing to the right by wrong boundaries or not at all found.
"""

from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import Score, Scores
from ner_zoo.analysis.pictures.rows import WIDTH, bare, margins, room_for
from ner_zoo.analysis.pictures.theme import Theme, drawn_in, empty
from ner_zoo.analysis.pictures.type_colours import type_colours

ALL = "all"


def by_type(scores: Scores, theme: Theme) -> Figure:
    """The types with most gold annotations come first."""
    types = sorted(scores.by_type, key=lambda type: -scores.by_type[type].gold)
    if not types:
        return empty(theme, "There are no annotations, neither gold nor predicted.")
    rows = [(ALL, scores.strict, scores.boundaries)] if len(types) > 1 else []
    rows += [(type, scores.by_type[type], scores.boundaries_by_type[type]) for type in types]
    colours = {**type_colours(types, theme), ALL: theme.quiet}
    with drawn_in(theme):
        figure = Figure(figsize=(WIDTH, 0.3 * len(rows) + 1.05))
        panels = figure.subplots(1, 3, sharey=True)
        margins(figure, room_for([f"{name}  {strict.gold}" for name, strict, _ in rows]), 0.35, 0.75, 0.1)
        for axes, measure in zip(panels, ("precision", "recall", "f1")):
            for place, (name, strict, boundaries) in enumerate(rows):
                _bar(axes, place, getattr(strict, measure), getattr(boundaries, measure), colours[name], theme)
            axes.set_title(measure.capitalize())
            bare(axes, [_named(name, strict) for name, strict, _ in rows], theme)
            axes.set_xlim(0, 100)
            axes.set_xticks([])
        figure.text(
            0.08 / WIDTH,
            1 - 0.16 / figure.get_size_inches()[1],
            "strong: type and boundaries right    pale: boundaries right    beside the name: gold annotations",
            color=theme.quiet,
            fontsize=8,
            va="center",
        )
        return figure


def _named(name: str, score: Score) -> str:
    return f"{name}  {score.gold:,}"


def _bar(axes, place: int, strict: float, boundaries: float, colour: str, theme: Theme) -> None:
    axes.barh(place, 100, height=0.66, color=theme.line, alpha=0.35)
    axes.barh(place, 100 * boundaries, height=0.66, color=colour, alpha=0.35)
    axes.barh(place, 100 * strict, height=0.66, color=colour)
    axes.text(102, place, f"{100 * strict:.1f}", va="center", fontsize=8.5, color=theme.ink, clip_on=False)
