"""Every picture is readable: with one type and with eighteen, no text is cut off or overlaps."""

import io
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image

from ner_zoo.analysis.analyse import analyse
from ner_zoo.analysis.analysis import Analysis
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.pictures.gallery import Picture, gallery
from ner_zoo.annotation import Entity, Sentence
from ner_zoo.rendering.theme import DARK, LIGHT, drawn_in
from tests.analysis.examples import empty_example, example

NAMES = "by_type error_classes breakdowns confusion reliability risk_coverage pca violin discrepancy loss_curve".split()
WITH_RELATIONS = ["relations_by_type", "relation_error_classes", "agreement"]
# Tolerance in pixels for letters outside the picture.
TOLERANCE = 2.0


@pytest.fixture(scope="module")
def analyses() -> dict[int, Analysis]:
    """By the number of types; the one with four has relations and a second model."""
    return {
        1: example(1, sentences=60, is_calibrated=True),
        4: example(4, sentences=60, has_relations=True, has_rival=True),
        18: example(18, sentences=150),
        0: empty_example(),
    }


def pictures_of(analysis: Analysis) -> dict[str, Picture]:
    return {picture.name: picture for picture in gallery(analysis)}


def texts(figure: Figure) -> list[Text]:
    """The visible texts, without tick labels outside their axes, which are not drawn."""
    FigureCanvasAgg(figure).draw()
    drawn = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    ticks = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for label in axis.get_ticklabels(which="both")
    }
    shown = {
        tick.label1 if tick.label1.get_visible() else tick.label2
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in axis._update_ticks()
    }
    return [text for text in drawn if text not in ticks or text in shown]


def overlap(one: Bbox, other: Bbox) -> float:
    """The share of the smaller box that the other covers."""
    shared = Bbox.intersection(one, other)
    smaller = min(one.width * one.height, other.width * other.height)
    return shared.width * shared.height / smaller if shared is not None and smaller else 0.0


def boxes_of(figure: Figure) -> dict[Text, Bbox]:
    with drawn_in(LIGHT):
        return {text: text.get_window_extent() for text in texts(figure)}


def outside(figure: Figure, boxes: dict[Text, Bbox]) -> list[str]:
    """Texts that are not completely inside the picture."""
    page = figure.bbox.padded(TOLERANCE)
    return [text.get_text() for text, box in boxes.items() if not (page.contains(*box.p0) and page.contains(*box.p1))]


@pytest.mark.parametrize(
    ("types", "name"),
    [(types, name) for types in (1, 4, 18) for name in NAMES] + [(4, name) for name in WITH_RELATIONS],
)
def test_words_are_inside_and_apart(analyses: dict[int, Analysis], types: int, name: str) -> None:
    figure = pictures_of(analyses[types])[name].draw(LIGHT)
    boxes = boxes_of(figure)
    assert not outside(figure, boxes)
    # Bounding boxes of slanted texts overlap although the texts do not; names among points may be anywhere.
    upright = {text: box for text, box in boxes.items() if text.get_rotation() == 0 and name != "pca"}
    pairs = combinations(upright.items(), 2)
    assert not [(a.get_text(), b.get_text()) for (a, first), (b, second) in pairs if overlap(first, second) > 0.2]


def test_words_are_inside_where_everything_is_right() -> None:
    sentence = Sentence(("Orla", "in", "Aubray"), (Entity.of("PER", 0, 1), Entity.of("LOC", 2, 3)))
    answer = Answer(sentence, dict.fromkeys(sentence.entities, 1.0))
    analysis = analyse(Answers("model.tar.gz", "tagger", ["LOC", "PER"], False, [answer]), "data/test.jsonl")
    for picture in gallery(analysis):
        figure = picture.draw(LIGHT)
        assert not outside(figure, boxes_of(figure)), picture.name


def test_all_pictures_are_there_and_only_those_of_which_something_is_known(analyses: dict[int, Analysis]) -> None:
    assert sorted(pictures_of(analyses[18])) == sorted(NAMES)
    assert sorted(pictures_of(analyses[4])) == sorted([*NAMES, *WITH_RELATIONS])
    assert "loss_curve" not in pictures_of(analyses[0])


def test_a_file_without_entities_has_pictures_that_say_so(analyses: dict[int, Analysis]) -> None:
    for picture in pictures_of(analyses[0]).values():
        words = " ".join(text.get_text() for text in picture.draw(DARK).texts)
        assert "no " in words or "Too few" in words, picture.name


def test_a_picture_is_a_small_file_on_the_background_of_its_theme(analyses: dict[int, Analysis]) -> None:
    picture = pictures_of(analyses[4])["pca"]
    for theme in (LIGHT, DARK):
        content = picture.png(theme)
        assert len(content) < 100_000
        corner = Image.open(io.BytesIO(content)).convert("RGB").getpixel((0, 0))
        assert max(abs(a - 255 * b) for a, b in zip(corner, to_rgb(theme.paper))) <= 1


def test_every_count_of_the_confusion_matrix_is_written(analyses: dict[int, Analysis]) -> None:
    counts = analyses[18].errors.confusion
    figure = pictures_of(analyses[18])["confusion"].draw(LIGHT)
    written = sorted(text.get_text() for text in figure.axes[0].texts)
    assert written == sorted(f"{count:,}" for count in counts[counts > 0])
