"""Pictures made of rows: a name on the left, bars on the right, with a height that depends on the number of rows."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ner_zoo.analysis.analysis import CORRECT, MISSED, SPURIOUS
from ner_zoo.rendering.theme import Theme

WIDTH = 9.0
LONGEST_NAME = 26


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name shortened to fit next to a row."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def label_margin(names: Sequence[str]) -> float:
    """The width of the longest name, in inches."""
    return 0.25 + 0.085 * max((len(short(name)) for name in names), default=0)


def margins(figure: Figure, left: float, right: float, top: float, bottom: float) -> None:
    """Sets the same margins for any figure size, in inches."""
    width, height = figure.get_size_inches()
    figure.subplots_adjust(left=left / width, right=1 - right / width, top=1 - top / height, bottom=bottom / height)


def outcome_colours(theme: Theme) -> dict[str, str]:
    """Colours of correct answers and of the error classes of entities and relations."""
    paired = [theme.fourth, theme.third, theme.sixth]
    return {
        CORRECT: theme.good,
        **dict(zip(("boundary", "type", "both"), paired)),
        **dict(zip(("argument", "label", "direction"), paired)),
        MISSED: theme.fifth,
        SPURIOUS: theme.bad,
    }


def after(axes: Axes, inches: float) -> float:
    """The x position this far to the right of bars that end at 1."""
    return 1 + inches / (axes.get_position().width * axes.figure.get_figure(root=True).get_size_inches()[0])


def stacked(
    axes: Axes, place: float, values: Mapping[str, float], colours: Mapping[str, str], height: float, theme: Theme
) -> None:
    """A stacked bar, from left to right."""
    parts = [(name, value) for name, value in values.items() if value > 0]
    ends = [0.0, *accumulate(value for _, value in parts)]
    axes.broken_barh(
        [(left, value) for left, (_, value) in zip(ends, parts)],
        (place - height / 2, height),
        facecolors=[colours[name] for name, _ in parts],
        edgecolors=theme.paper,
        linewidth=0.8,
    )


def key(axes: Axes, colours: Mapping[str, str], names: Sequence[str], columns: int = 8) -> None:
    """The legend of the bars, on one line above them."""
    handles: list[Patch] = [Patch(color=colours[name.split(" ")[0]], label=name) for name in names]
    axes.legend(
        handles=handles,
        ncols=columns,
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        frameon=False,
        handlelength=0.9,
        handleheight=0.9,
        handletextpad=0.5,
        columnspacing=1.4,
        borderaxespad=0.2,
        borderpad=0,
        fontsize=8.5,
    )


def bare(axes: Axes, rows: Sequence[str], theme: Theme) -> None:
    """Names next to the rows, from top to bottom, without a frame."""
    axes.set_yticks(range(len(rows)), [short(row) for row in rows])
    axes.tick_params(axis="y", length=0, labelcolor=theme.ink)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
