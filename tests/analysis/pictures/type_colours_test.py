import pytest
from matplotlib.colors import to_rgb

from ner_zoo.analysis.analysis import Score, Scores
from ner_zoo.analysis.pictures.by_type import by_type
from ner_zoo.analysis.pictures.type_colours import entity_types, oklch, type_colours
from ner_zoo.rendering.palette import colours
from ner_zoo.rendering.theme import DARK, LIGHT, Theme
from tests.analysis.examples import example


def test_colours_are_those_of_a_browser() -> None:
    # As rendered by Chromium: oklch(1 0 0), oklch(0 0 0), oklch(0.628 0.2577 29.23) and oklch(0.452 0.3132 264.05).
    assert [oklch(1, 0, 0), oklch(0, 0, 0)] == ["#ffffff", "#000000"]
    for colour, wanted in ((oklch(0.628, 0.2577, 29.23), "#ff0000"), (oklch(0.452, 0.3132, 264.05), "#0000ff")):
        assert max(abs(a - b) for a, b in zip(to_rgb(colour), to_rgb(wanted))) < 0.01


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_no_two_of_eighteen_types_look_the_same(theme: Theme) -> None:
    types = (
        "PERSON NORP FAC ORG GPE LOC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE DATE TIME PERCENT MONEY QUANTITY ORDINAL "
        "CARDINAL"
    ).split()
    chosen = type_colours(types, theme)
    assert len({chosen[type] for type in types}) == 18


def test_a_type_keeps_its_hue_in_both_themes_and_none_is_grey() -> None:
    light, dark = (type_colours(["PER", "none"], theme) for theme in (LIGHT, DARK))
    for chosen in (light, dark):
        red, green, blue = to_rgb(chosen["PER"])
        assert blue > green > red
    assert light["none"] == LIGHT.fifth


def test_a_type_has_its_colour_in_a_picture_that_does_not_show_all_types() -> None:
    """`first` and `second` hash to the same colour, so `second` gets another one if `first` is present."""
    first, second = sorted(
        ["T0", next(f"T{n}" for n in range(1, 99) if colours([f"T{n}"])[f"T{n}"] == colours(["T0"])["T0"])]
    )
    scores = {second: Score(1, 2, 1, 2)}
    figure = by_type(Scores(scores[second], scores[second], scores, scores), [first, second], LIGHT)
    bar = figure.axes[0].containers[2].patches[0]
    wanted = type_colours([first, second], LIGHT)[second]
    assert bar.get_facecolor()[:3] == to_rgb(wanted) != to_rgb(type_colours([second], LIGHT)[second])


def test_all_types_are_those_of_gold_of_the_model_and_of_its_rival() -> None:
    analysis = example(4, has_rival=True, sentences=20)
    analysis.rival.scores.by_type["ZUG"] = Score(0, 0, 0, 1)  # type: ignore[union-attr]
    assert entity_types(analysis) == ["EVENT", "LOC", "ORG", "PER", "ZUG"]
