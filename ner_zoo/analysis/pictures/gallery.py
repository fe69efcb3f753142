"""All pictures of an analysis, in report order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from ner_zoo.analysis.analysis import Analysis
from ner_zoo.analysis.pictures.agreement import agreement
from ner_zoo.analysis.pictures.breakdowns import breakdowns
from ner_zoo.analysis.pictures.by_type import by_type
from ner_zoo.analysis.pictures.confusion import confusion
from ner_zoo.analysis.pictures.discrepancy import discrepancy_plot
from ner_zoo.analysis.pictures.error_classes import error_classes
from ner_zoo.analysis.pictures.pca import pca
from ner_zoo.analysis.pictures.reliability import reliability
from ner_zoo.analysis.pictures.risk_coverage import risk_coverage
from ner_zoo.analysis.pictures.type_colours import entity_types
from ner_zoo.analysis.pictures.violin import violin
from ner_zoo.rendering.loss_curve import loss_curve
from ner_zoo.rendering.theme import Theme, png


@dataclass(frozen=True)
class Picture:
    """
    name : file name without .png.
    section : section of the report.
    description : alternative text.
    caption : how to read the picture.
    """

    name: str
    section: str
    description: str
    caption: str
    draw: Callable[[Theme], Figure]

    def png(self, theme: Theme) -> bytes:
        return png(self.draw(theme))


def gallery(analysis: Analysis) -> Iterator[Picture]:
    yield from _entities(analysis)
    yield from _relations(analysis)
    yield from _probabilities(analysis)
    if analysis.rival is not None:
        yield Picture(
            "agreement",
            "rival",
            "Stacked bars by type: gold entities found by both models, by only one, or by neither",
            "Gold entities found by both models, only by A, only by B, and by neither.",
            partial(agreement, analysis.rival.agreement),
        )
    if analysis.loss_curve is not None:
        yield Picture(
            "loss_curve",
            "training",
            "Lines of the training and validation loss and of the validation score by epoch",
            "The dashed line marks the epoch whose weights were kept.",
            partial(loss_curve, analysis.loss_curve),
        )


def _entities(analysis: Analysis) -> Iterator[Picture]:
    yield Picture(
        "by_type",
        "types",
        "Bars of precision, recall and F1 for each entity type",
        "The pale part is lost only to wrong types: the boundaries are right.",
        partial(by_type, analysis.entities, entity_types(analysis)),
    )
    yield Picture(
        "error_classes",
        "errors",
        "Stacked bars: outcomes of gold and predicted entities, overall and by type",
        "A boundary error has the right type on the wrong words, a type error the wrong type on the right words; both "
        "means that type and words are wrong. Each pairs one gold and one predicted entity. Missed entities are "
        "unmatched gold ones, spurious entities unmatched predicted ones.",
        partial(error_classes, analysis.errors),
    )
    yield Picture(
        "breakdowns",
        "errors",
        "Stacked bars: outcomes by width, surface form, sentence length and nesting",
        "Where errors occur: look at rows whose first segment is much shorter than that of the others.",
        partial(breakdowns, analysis.errors),
    )
    yield Picture(
        "confusion",
        "errors",
        "A matrix of gold types against predicted types",
        "Which types are confused. A boundary error is on the diagonal because its type is right.",
        partial(confusion, analysis.errors),
    )


def _relations(analysis: Analysis) -> Iterator[Picture]:
    if analysis.relations is not None:
        yield Picture(
            "relations_by_type",
            "relations",
            "Bars of precision, recall and F1 for each relation type",
            "Strong: with the types of both entities; pale: without them.",
            partial(by_type, analysis.relations, []),
        )
    if analysis.relation_errors is not None:
        yield Picture(
            "relation_error_classes",
            "relations",
            "Stacked bars: outcomes of gold and predicted relations",
            "Argument: the right type with a wrong entity. Direction: head and tail are swapped. Label: the right "
            "entities with the wrong type.",
            partial(error_classes, analysis.relation_errors),
        )


def _probabilities(analysis: Analysis) -> Iterator[Picture]:
    yield Picture(
        "reliability",
        "calibration",
        "The share of correct predictions by predicted probability",
        "Below the dotted line a model is overconfident, above it underconfident. A larger dot represents more "
        "predictions.",
        partial(reliability, analysis.calibration, analysis.tempered),
    )
    rival = analysis.rival.calibration if analysis.rival is not None else None
    yield Picture(
        "risk_coverage",
        "calibration",
        "The error rate by the share of most confident predictions that are kept",
        "The effect of a threshold: the error rate if only the most confident share of predictions is kept.",
        partial(risk_coverage, analysis.calibration, rival),
    )
    yield Picture(
        "pca",
        "outputs",
        "Points: the outputs for gold entities on two principal components, coloured by type",
        "Each point is a gold entity, placed by the probabilities that the model assigns to all types; entities of "
        "one type among those of another are the difficult ones.",
        partial(pca, analysis.label_probabilities, entity_types(analysis)),
    )
    yield Picture(
        "violin",
        "outputs",
        "Two violins: the probability of the true label where the model is right and where it is wrong",
        "The bar covers the middle half. A wrong answer near the top was a near miss.",
        partial(violin, analysis.label_probabilities),
    )
    yield Picture(
        "discrepancy",
        "outputs",
        "Points: the ratio of the probabilities of output and truth, against their spread",
        "Up: the output is more probable than the truth; Stable: it is the truth; Down: it is less probable, because "
        "another entity got in the way. The D-value is the variance of all probabilities divided by that of the truth.",
        partial(discrepancy_plot, analysis.discrepancy),
    )
