"""Every picture that there is of an analysis, in the order in which a report shows them."""

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
    name : of the file, without .png.
    section : of the report.
    description : for those who cannot see it.
    caption : how to read it.
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
            "Stacked bars by type: gold entities that both models get, only one, or neither",
            "Gold entities that both models get, only A, only B, and neither.",
            partial(agreement, analysis.rival.agreement),
        )
    if analysis.loss_curve is not None:
        yield Picture(
            "loss_curve",
            "training",
            "Lines of the training and validation loss and of the validation score by epoch",
            "The dashed line is the epoch whose weights were kept.",
            partial(loss_curve, analysis.loss_curve),
        )


def _entities(analysis: Analysis) -> Iterator[Picture]:
    yield Picture(
        "by_type",
        "types",
        "Bars of precision, recall and F1 for each entity type",
        "What is pale is lost by wrong types alone: the boundaries are right.",
        partial(by_type, analysis.entities, entity_types(analysis)),
    )
    yield Picture(
        "error_classes",
        "errors",
        "Stacked bars: what became of gold and predicted entities, overall and by type",
        "A boundary error has the right type on other words, a type error another type on the right words; both is "
        "neither. Each stands for one gold and one predicted entity. Missed are gold ones, spurious predicted ones, "
        "that nothing stands against.",
        partial(error_classes, analysis.errors),
    )
    yield Picture(
        "breakdowns",
        "errors",
        "Stacked bars: outcomes by width, surface form, sentence length and nesting",
        "Where errors happen: a row whose first part is much shorter than that of the others is worth a look.",
        partial(breakdowns, analysis.errors),
    )
    yield Picture(
        "confusion",
        "errors",
        "A matrix of gold types against predicted types",
        "Which type is taken for which. A boundary error stands on the diagonal, as its type is right.",
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
            "Stacked bars: what became of gold and predicted relations",
            "Argument: the right type, and an entity that is not right. Direction: head and tail are swapped. Label: "
            "the right entities under another type.",
            partial(error_classes, analysis.relation_errors),
        )


def _probabilities(analysis: Analysis) -> Iterator[Picture]:
    yield Picture(
        "reliability",
        "calibration",
        "The share of predictions that is right by the probability they were given",
        "Below the dotted line a model is too sure of itself, above it not sure enough. A larger dot stands for more "
        "predictions.",
        partial(reliability, analysis.calibration, analysis.tempered),
    )
    rival = analysis.rival.calibration if analysis.rival is not None else None
    yield Picture(
        "risk_coverage",
        "calibration",
        "The share of predictions that is wrong by how many of the surest are kept",
        "What a threshold buys: keep the surest half, and so many of it are wrong.",
        partial(risk_coverage, analysis.calibration, rival),
    )
    yield Picture(
        "pca",
        "outputs",
        "Points: the outputs for gold entities on two principal components, coloured by type",
        "Each point is a gold entity, placed by the probabilities the model gives to all types; entities of one type "
        "that lie among those of another are the hard ones.",
        partial(pca, analysis.label_probabilities, entity_types(analysis)),
    )
    yield Picture(
        "violin",
        "outputs",
        "Two violins: the probability of the true label where the model is right and where it is wrong",
        "The bar holds the middle half. A wrong answer near the top was a close one.",
        partial(violin, analysis.label_probabilities),
    )
    yield Picture(
        "discrepancy",
        "outputs",
        "Points: the ratio of the probabilities of output and truth, against their spread",
        "Up: the output has a higher probability than the truth; Stable: it is the truth; Down: a lower one, as "
        "another entity stood in the way. The D-value is the variance of all probabilities over that of the truth.",
        partial(discrepancy_plot, analysis.discrepancy),
    )
