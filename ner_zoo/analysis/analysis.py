"""
What is known of a model after it has been looked at: plain fields, arrays and dictionaries that a report can draw.

An entity or a relation has one outcome: `correct`, or one class of error. Every gold one has exactly one, and so has
every predicted one, so that

    gold = correct + the paired classes + missed            predicted = correct + the paired classes + spurious

A class is paired where a prediction stands for a gold one that it does not equal: it counts on both sides.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ner_zoo.rendering.loss_curve import LossCurve

CORRECT, MISSED, SPURIOUS = "correct", "missed", "spurious"
# Boundary: the right type on other tokens that overlap. Type: another type on the same tokens. Both: neither is right.
ENTITY_OUTCOMES = (CORRECT, "boundary", "type", "both", MISSED, SPURIOUS)
# Direction: head and tail swapped. Label: the right entities, another type. Argument: the right type, an entity is not.
RELATION_OUTCOMES = (CORRECT, "argument", "direction", "label", MISSED, SPURIOUS)
# The row and column of the confusion matrix, and the label of a distribution, that mean "no entity here".
NONE = "none"
UP, STABLE, DOWN = "Up", "Stable", "Down"


@dataclass(frozen=True)
class Score:
    """
    found of `gold` annotations were predicted; right of `predicted` ones are gold.

    The two are the same number, except for one type by boundaries only, where a span of one type may be found under
    the name of another.
    """

    found: int
    gold: int
    right: int
    predicted: int

    @property
    def precision(self) -> float:
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.found / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass
class Scores:
    """
    Of entities or of relations. Types are sorted by their names and are those of gold and predictions.

    strict, by_type : type and boundaries must be right.
    boundaries, boundaries_by_type : entities by their tokens alone; relations without the types of their entities.
    """

    strict: Score
    boundaries: Score
    by_type: dict[str, Score]
    boundaries_by_type: dict[str, Score]


@dataclass
class Breakdown:
    """
    Outcomes by a property. `groups` are in their natural order, without those that are empty on both sides.

    name : one word, e.g. `width`. title : for people, e.g. `Width in tokens`.
    outcomes : the columns, as in `Errors`.
    gold, predicted : `(groups, outcomes)`, counts. Each sums to its total in `Errors`.
    unknown : why there is nothing to show; empty where there is.
    """

    name: str
    title: str
    groups: list[str]
    outcomes: tuple[str, ...]
    gold: np.ndarray
    predicted: np.ndarray
    unknown: str = ""


@dataclass
class Errors:
    """
    outcomes : `ENTITY_OUTCOMES` or `RELATION_OUTCOMES`.
    gold, predicted : `(outcomes,)`, how many have each outcome. No gold one is spurious, no predicted one missed.
    breakdowns : by type, width, surface form, sentence length, nesting.
    confusion : `(names, names)`, gold in rows and predicted in columns; row sums are gold, column sums predicted. The
        corner of `none` with itself is 0. A boundary error is on the diagonal: its type is right.
    confusion_names : the types, then `none`.
    examples : one dictionary for each error, the lines of errors.jsonl:
        {"kind": "entity", "class": "boundary", "gold": mention or None, "predicted": mention or None, "text": …,
        "source": "file:line", "sentence": number from 0}
        where a mention is {"type", "text", "fragments" (in characters of text), "start", "end", "score"}. For gold the
        score is the probability the model gives to it. Relations have {"type", "head": mention, "tail": mention, …}.
    """

    outcomes: tuple[str, ...]
    gold: np.ndarray
    predicted: np.ndarray
    breakdowns: list[Breakdown]
    confusion: np.ndarray
    confusion_names: list[str]
    examples: list[dict[str, Any]]


@dataclass
class Calibration:
    """
    Whether what is predicted with a probability of 0.8 is right in 80 of 100 cases. Arrays are empty without any
    predictions, and the figures are nan.

    scores, is_correct : `(predictions,)`, each entity's probability and whether it is right.
    edges : `(bins + 1,)` from 0 to 1. counts, confidence, accuracy : `(bins,)`; nan in an empty bin.
    ece : expected calibration error, the mean distance of confidence and accuracy over predictions.
    brier : the mean squared distance of the score and 1 (right) or 0 (wrong).
    coverage, risk : the risk-coverage curve: of the most probable share `coverage`, the share that is wrong.
    risk_area : the area under that curve; less is better.
    """

    scores: np.ndarray
    is_correct: np.ndarray
    edges: np.ndarray
    counts: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray
    ece: float
    brier: float
    coverage: np.ndarray
    risk: np.ndarray
    risk_area: float


@dataclass
class Tempered:
    """
    What one temperature does. The model's scores are divided by it, so that above 1 it is less sure of itself.

    fitted_on : the file. archive : where the model with this temperature is.
    likelihood_before, likelihood_after : the mean log-likelihood of a sentence's gold labels in that file.
    calibration : as `Analysis.calibration`, with the new probabilities.
    changed : sentences in which something else is predicted: some decoders compare probabilities.
    """

    temperature: float
    fitted_on: str
    archive: str
    likelihood_before: float
    likelihood_after: float
    calibration: Calibration
    changed: int = 0


@dataclass
class LabelProbabilities:
    """
    What the model says of the tokens of each gold entity: the probability of each type on exactly these tokens.

    names : the types, and last `none`: the rest, which is that these tokens are not exactly an entity.
    probabilities : `(n, names)`, rows sum to 1.
    gold : `(n,)`, the number of the true type; never that of `none`.
    predicted : `(n,)`, the number of the type that the model decoded on these tokens, or that of `none`.
    total : how many gold entities there are; n is fewer where only a sample was kept.
    """

    names: list[str]
    probabilities: np.ndarray
    gold: np.ndarray
    predicted: np.ndarray
    total: int

    @property
    def true_probability(self) -> np.ndarray:
        """`(n,)`: the probability of the true type."""
        return self.probabilities[np.arange(len(self.gold)), self.gold]

    @property
    def is_right(self) -> np.ndarray:
        return self.gold == self.predicted


@dataclass
class Discrepancy:
    """
    How far the output is from the true label, for each row of `LabelProbabilities`.

    log_ratio : `(n,)`, log2 of the probability of the output over that of the true type.
    d_value : `(n,)`, the variance between the probabilities of all types over the probability of the true one.
    kind : `(n,)`, `Up` for a ratio above 1, `Stable` for 1, `Down` for less.
    """

    log_ratio: np.ndarray
    d_value: np.ndarray
    kind: np.ndarray

    def count(self, kind: str) -> int:
        return int((self.kind == kind).sum())


@dataclass
class Significance:
    """
    Whether model A is better than model B by more than chance: a paired bootstrap over sentences.

    metric : `entity F1` or `relation F1`. first, second : of A and of B. difference : first less second.
    low, high : between them lies the difference with 95 % confidence.
    p_value : one-tailed, for the hypothesis that neither is better.
    """

    metric: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float
    samples: int


@dataclass
class Rival:
    """
    Another model on the same file.

    scores, relations, errors, calibration, tempered : as in `Analysis`, of the rival.
    agreement : for each type, `(4,)` gold entities that both get, only A, only B (the rival), and neither.
    significance : of entities, and of relations where there are any.
    only_first, only_second : examples: {"mention": …, "text", "source", "sentence", "gold": prediction,
        "first": prediction of A, "second": prediction of B}, the surest first.
    """

    model: str
    kind: str
    scores: Scores
    relations: Scores | None
    errors: Errors
    calibration: Calibration
    agreement: dict[str, np.ndarray]
    significance: list[Significance]
    only_first: list[dict[str, Any]]
    only_second: list[dict[str, Any]]


@dataclass
class Analysis:
    """
    model : the archive. kind : `tagger`, `span`, `joint_relation`. file : what was looked at.
    sentences, tokens : its size.
    out_of_reach : gold entities that this model could not have found: nested or discontinuous ones for a tagger, too
        wide ones, types it does not know. They count as missed.
    entities, relations : scores; relations are None for a model that finds none.
    errors, relation_errors : likewise.
    calibration : of the scores of entities. tempered : with the temperature that was fitted, if one was.
    noise : annotations that may be wrong, the most suspicious first, as `suspect_records` describes them.
    worst : the sentences with the lowest F1, of these the least probable gold first:
        {"sentence", "source", "f1", "gold_probability", "gold": prediction, "predicted": prediction}
        `gold_probability` is the geometric mean of the probabilities of the gold entities. Predictions are dictionaries
        as `allennlp predict` writes them.
    label_probabilities, discrepancy : for the pictures of the span-level paper.
    loss_curve : of the training, if its files are there.
    findings : sentences, the most useful first.
    rival : the second model, if there are two.
    command : how to make this report again.
    spans_are_given : whether the model was given the spans of the gold entities, and only had to find their types. Then
        the figures are not end-to-end scores, and cannot be compared with them.
    """

    model: str
    kind: str
    file: str
    sentences: int
    tokens: int
    out_of_reach: int
    entities: Scores
    relations: Scores | None
    errors: Errors
    relation_errors: Errors | None
    calibration: Calibration
    tempered: Tempered | None
    noise: list[dict[str, Any]]
    worst: list[dict[str, Any]]
    label_probabilities: LabelProbabilities
    discrepancy: Discrepancy
    loss_curve: LossCurve | None = None
    findings: list[str] = field(default_factory=list)
    rival: Rival | None = None
    command: str = ""
    spans_are_given: bool = False
