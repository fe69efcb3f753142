"""
The colour of a type in pictures, matching the web page: the same hue, with the lightness of the page's lines.

The hues are defined once, in `annotation.css`; browsers and this file convert them to the same colours.
"""

import math
import re
from collections.abc import Iterable
from functools import cache

from ner_zoo.analysis.analysis import NONE, Analysis
from ner_zoo.rendering.palette import colours
from ner_zoo.rendering.render import STATIC
from ner_zoo.rendering.theme import Theme

# Lightness and chroma, as in annotation.css.
LIGHTNESS_AND_CHROMA = {"light": (0.62, 0.16), "dark": (0.7, 0.14)}
# Marks in a picture are not labelled individually, so types with the same hue differ in lightness.
CHANGES = {"light": (0.0, -0.17, 0.15, -0.29, 0.22), "dark": (0.0, 0.14, -0.16, 0.22, -0.24)}


def entity_types(analysis: Analysis) -> list[str]:
    """All types of gold, the model and the second model. Colours depend on the set of types."""
    names = {*analysis.entities.by_type, *analysis.label_probabilities.names}
    if analysis.rival is not None:
        names |= {*analysis.rival.scores.by_type}
    return sorted(names - {NONE})


def type_colours(types: Iterable[str], theme: Theme) -> dict[str, str]:
    """A colour for each type; grey for anything else."""
    lightness, chroma = LIGHTNESS_AND_CHROMA[theme.name]
    chosen = colours(type for type in types if type != NONE)
    by_type, changes = {}, CHANGES[theme.name]
    for type, number in chosen.items():
        alike = [other for other in sorted(chosen) if chosen[other] == number]
        change = changes[alike.index(type) % len(changes)]
        by_type[type] = oklch(lightness + change, chroma * (1 - abs(change)), _hues()[number])
    return {**by_type, NONE: theme.fifth}


@cache
def _hues() -> list[float]:
    style = (STATIC / "annotation.css").read_text(encoding="utf-8")
    found = {int(number): float(hue) for number, hue in re.findall(r"\.nz-c(\d+) \{ --nz-hue: ([\d.]+);", style)}
    return [found[number] for number in range(len(found))]


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """`#rrggbb` as shown by browsers; Björn Ottosson's OKLab in cylindrical coordinates."""
    a, b = (chroma * function(math.radians(hue)) for function in (math.cos, math.sin))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear: tuple[float, float, float] = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(channel)):02x}" for channel in linear)


def _gamma(channel: float) -> float:
    channel = min(1.0, max(0.0, channel))
    return 12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055
