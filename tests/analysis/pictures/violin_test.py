import numpy
import pytest

from ner_zoo.analysis.analysis import LabelProbabilities
from ner_zoo.analysis.pictures.violin import GRID, density, violin
from ner_zoo.rendering.theme import DARK


@pytest.mark.parametrize("values", [[0.5], [0.0] * 9, [1.0, 1.0], [0.1, 0.6, 0.62, 0.64]])
def test_a_shape_is_widest_where_most_values_are(values: list) -> None:
    shape = density(numpy.array(values))
    assert shape.max() == 1 and numpy.isfinite(shape).all()
    assert abs(GRID[shape.argmax()] - numpy.median(values)) < 0.05


def test_medians_of_right_and_wrong_are_written() -> None:
    rows = numpy.array([[0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.25, 0.75]])
    labels = LabelProbabilities(["PER", "none"], rows, numpy.zeros(4, int), numpy.array([0, 0, 0, 1]), 4)
    written = [text.get_text() for text in violin(labels, DARK).axes[0].texts]
    assert written == ["median 0.80", "median 0.25"]
