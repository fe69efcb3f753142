import pytest
from matplotlib.colors import to_rgb

from ner_zoo.analysis.pictures.theme import DARK, LIGHT, THEMES, Theme
from ner_zoo.analysis.pictures.type_colours import oklch, type_colours


def test_colours_are_those_of_a_browser() -> None:
    # As Chromium paints oklch(1 0 0), oklch(0 0 0), oklch(0.628 0.2577 29.23) and oklch(0.452 0.3132 264.05).
    assert [oklch(1, 0, 0), oklch(0, 0, 0)] == ["#ffffff", "#000000"]
    for colour, wanted in ((oklch(0.628, 0.2577, 29.23), "#ff0000"), (oklch(0.452, 0.3132, 264.05), "#0000ff")):
        assert max(abs(a - b) for a, b in zip(to_rgb(colour), to_rgb(wanted))) < 0.01


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_no_two_of_eighteen_types_look_the_same(theme: Theme) -> None:
    types = (
        "PERSON NORP FAC ORG GPE LOC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE DATE TIME PERCENT MONEY QUANTITY ORDINAL "
        "CARDINAL"
    ).split()
    chosen = type_colours(types, theme)
    assert len({chosen[type] for type in types}) == 18


def test_a_type_keeps_its_hue_on_light_and_dark_paper_and_none_is_grey() -> None:
    light, dark = (type_colours(["PER", "none"], theme) for theme in (LIGHT, DARK))
    for colours in (light, dark):
        red, green, blue = to_rgb(colours["PER"])
        assert blue > green > red
    assert light["none"] == LIGHT.fifth
