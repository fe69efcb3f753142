import numpy

from ner_zoo.rendering.loss_curve import LossCurve, loss_curve
from ner_zoo.rendering.theme import LIGHT


def curve(best_epoch: int) -> LossCurve:
    unknown = numpy.full(3, numpy.nan)
    return LossCurve(
        numpy.arange(3), numpy.array([3.0, 2.0, 1.0]), unknown, numpy.array([0.2, 0.5, 0.4]), "entity_f1", best_epoch
    )


def test_the_best_epoch_is_marked_and_counted_from_one() -> None:
    _, metric = loss_curve(curve(1), LIGHT).axes
    assert metric.get_title("right") == "best: 50.0 in epoch 2" and metric.get_title("left") == "Entity F1"
    assert any(list(line.get_xdata()) == [2] and list(line.get_ydata()) == [50] for line in metric.lines)


def test_unknown_values_are_not_drawn() -> None:
    losses, metric = loss_curve(curve(-1), LIGHT).axes
    assert [text.get_text() for text in losses.texts] == ["training"]
    assert metric.get_title("right") == ""
