import numpy
from sklearn.decomposition import PCA

from ner_zoo.analysis.analysis import LabelProbabilities
from ner_zoo.analysis.pictures.pca import components, pca
from ner_zoo.rendering.theme import LIGHT


def test_components_are_those_of_scikit_learn() -> None:
    rows = numpy.random.default_rng(0).dirichlet([1.0, 2.0, 0.5, 1.0], 50)
    points, shares = components(rows)
    reference = PCA(2).fit(rows)
    numpy.testing.assert_allclose(shares, reference.explained_variance_ratio_)
    numpy.testing.assert_allclose(abs(points), abs(reference.transform(rows)), atol=1e-9)


def test_right_ones_are_triangles_and_wrong_ones_circles() -> None:
    rows = numpy.random.default_rng(1).dirichlet([1.0, 1.0, 1.0], 20)
    gold = numpy.array([0, 1] * 10)
    predicted = numpy.where(numpy.arange(20) < 15, gold, 1 - gold)
    figure = pca(LabelProbabilities(["PER", "LOC", "none"], rows, gold, predicted, 20), [], LIGHT)
    triangles, circles = figure.axes[0].collections
    assert len(triangles.get_offsets()) == 15 and len(triangles.get_paths()[0]) < len(circles.get_paths()[0])
    assert len(circles.get_offsets()) == 5
    assert {text.get_text() for text in figure.axes[0].texts} == {"PER", "LOC"}
