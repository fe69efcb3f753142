"""Colours are readable and distinguishable, and labels do not overlap."""

from itertools import combinations

import numpy
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from ner_zoo.rendering.theme import DARK, LIGHT, Theme, drawn_in, name_lines, png, readable_on


def luminance(colour: str) -> float:
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one: str, other: str) -> float:
    """Contrast as defined by WCAG, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# Vision without red cones, without green cones (Machado et al.), and with all cones.
EYES = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "all cones": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
}
TO_CONES = [
    [0.41222147, 0.53633254, 0.05144599],
    [0.2119035, 0.68069955, 0.10739696],
    [0.08830246, 0.28171884, 0.6299787],
]
TO_LAB = [
    [0.21045426, 0.79361779, -0.00407205],
    [1.9779985, -2.42859221, 0.45059371],
    [0.02590404, 0.78277177, -0.80867577],
]


def seen(colour: str, eyes: str) -> numpy.ndarray:
    """A point in OKLab, where distances correspond to perceived differences."""
    light = numpy.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)])
    return numpy.array(TO_LAB) @ numpy.cbrt(numpy.array(TO_CONES) @ (numpy.array(EYES[eyes]) @ light).clip(0, 1))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_is_readable_on_the_background(theme: Theme) -> None:
    assert contrast(theme.ink, theme.paper) > 7
    assert contrast(theme.quiet, theme.paper) > 4.5
    assert min(contrast(colour, theme.paper) for colour in (theme.good, theme.bad, theme.third)) > 3


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_colours_are_distinguishable_with_any_colour_vision(theme: Theme, eyes: str) -> None:
    colours = [theme.good, theme.bad, theme.third, theme.fourth, theme.fifth, theme.sixth]
    for one, other in combinations(colours, 2):
        assert numpy.linalg.norm(seen(one, eyes) - seen(other, eyes)) > 0.1, (one, other)


def test_black_or_white_is_chosen_by_the_background() -> None:
    assert readable_on(to_rgb("#fffefb")) == "#16171a" and readable_on(to_rgb("#4b2e83")) == "#ffffff"


def test_names_of_lines_that_end_in_one_place_are_moved_apart() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    axes.set_ylim(0, 1)
    name_lines(axes, [(1.0, 0.5, "one", "red"), (1.0, 0.5, "two", "blue"), (1.0, 0.9, "three", "green")])
    shifts = [text.xyann[1] for text in axes.texts]
    assert shifts[0] == 0 and shifts[1] > 9 and shifts[2] == 0


def test_settings_of_others_are_left_alone() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    with drawn_in(DARK):
        assert matplotlib.rcParams["text.color"] == DARK.ink
    assert dict(matplotlib.rcParams) == before


def test_a_file_may_be_made_small_or_quickly() -> None:
    with drawn_in(LIGHT):
        figure = Figure(figsize=(3, 2))
        figure.text(0.1, 0.5, "a $ and another $")
    assert len(png(figure)) < len(png(figure, is_small=False))
