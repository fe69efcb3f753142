"""
The look of pictures: light and dark themes with the colours of the page, unobtrusive frames, and labelled lines.

Meaningful colours are distinguishable with any kind of colour vision, even without hue, because they differ in
lightness.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

DOTS_PER_INCH = 144


@dataclass(frozen=True)
class Theme:
    """
    ink, quiet, paper, line : colours of text, secondary text, background, and frames and grids.
    good, bad, third to sixth : colours of data, most important first.
    """

    name: str
    ink: str
    quiet: str
    paper: str
    line: str
    good: str
    bad: str
    third: str
    fourth: str
    fifth: str
    sixth: str


LIGHT = Theme(
    name="light",
    ink="#24262b",
    quiet="#6d7078",
    paper="#fffefb",
    line="#e4e0d8",
    good="#2a6fb0",
    bad="#d9621e",
    third="#4b2e83",
    fourth="#e3ac2f",
    fifth="#a9aab0",
    sixth="#c2185b",
)
DARK = Theme(
    name="dark",
    ink="#e4e2dd",
    quiet="#9a9ba2",
    paper="#1b1d21",
    line="#34373d",
    good="#5ba3e6",
    bad="#f08a4b",
    third="#8450b4",
    fourth="#f2ca62",
    fifth="#6d7078",
    sixth="#f3b5cd",
)


@contextmanager
def drawn_in(theme: Theme) -> Iterator[None]:
    """Context in which pictures are drawn with the theme's colours and sizes."""
    settings: dict[Any, Any] = {
        "figure.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "axes.edgecolor": theme.line,
        "axes.labelcolor": theme.quiet,
        "axes.titlecolor": theme.ink,
        "axes.titlesize": 10.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlepad": 10,
        "axes.labelsize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "grid.color": theme.line,
        "grid.linewidth": 0.8,
        "text.color": theme.ink,
        # A dollar sign in the name of a type is not math markup.
        "text.parse_math": False,
        "xtick.color": theme.line,
        "ytick.color": theme.line,
        "xtick.labelcolor": theme.quiet,
        "ytick.labelcolor": theme.quiet,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "lines.linewidth": 2,
        "lines.solid_capstyle": "round",
    }
    with matplotlib.rc_context(settings):
        yield


def png(figure: Figure, is_small: bool = True) -> bytes:
    """The picture as a PNG file; either small, with 256 colours, which are sufficient, or fast."""
    figure.set_dpi(DOTS_PER_INCH)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.fromarray(numpy.asarray(canvas.buffer_rgba())).convert("RGB")
    if is_small:
        image = image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    file = io.BytesIO()
    image.save(file, format="png", compress_level=9 if is_small else 1)
    return file.getvalue()


def empty(theme: Theme, message: str) -> Figure:
    """A placeholder for an empty picture."""
    with drawn_in(theme):
        figure = Figure(figsize=(8, 1.4))
        figure.text(0.5, 0.5, message, ha="center", va="center", color=theme.quiet, fontsize=10)
        return figure


def readable_on(ground: Sequence[float]) -> str:
    """Black or white, whichever is more readable on an RGB colour."""
    red, green, blue = ground[:3]
    return "#16171a" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "#ffffff"


Label = tuple[float, float, str, str]


def name_lines(axes: Axes, labels: Sequence[Label], size: float = 9) -> None:
    """Labels at the ends of lines, as (x, y, name, colour), moved apart if they would overlap."""
    height = 1.25 * size * axes.figure.dpi / 72
    placed: list[float] = []
    for x, y, text, colour in sorted(labels, key=lambda label: label[1]):
        wanted = axes.transData.transform((x, y))[1]
        place = max(wanted, placed[-1] + height) if placed else wanted
        placed.append(place)
        shift = (place - wanted) * 72 / axes.figure.dpi
        axes.annotate(
            text, (x, y), xytext=(7, shift), textcoords="offset points", color=colour, fontsize=size, va="center"
        )
