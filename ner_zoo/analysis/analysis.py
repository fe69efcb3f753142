"""
Results of an analysis: plain fields, arrays and dictionaries for a report.

An entity or a relation has one outcome: `correct`, or one class of error. Every gold annotation and every prediction
has exactly one outcome, so that

    gold = correct + the paired classes + missed            predicted = correct + the paired classes + spurious

A class is paired if a prediction is matched to a gold annotation that it does not equal: it counts on both sides.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ner_zoo.rendering.loss_curve import LossCurve

CORRECT, MISSED, SPURIOUS = "correct", "missed", "spurious"
# Boundary: right type on other, overlapping tokens. Type: another type on the same tokens. Both: type and tokens wrong.
ENTITY_OUTCOMES = (CORRECT, "boundary", "type", "both", MISSED, SPURIOUS)
# Direction: head and tail swapped. Label: right entities, wrong type. Argument: right type, wrong entity.
RELATION_OUTCOMES = (CORRECT, "argument", "direction", "label", MISSED, SPURIOUS)
# The row and column of the confusion matrix, and the label of a distribution, for "no entity here".
NONE = "none"
UP, STABLE, DOWN = "Up", "Stable", "Down"


@dataclass(frozen=True)
class Score:
    """
    found of `gold` annotations were predicted; right of `predicted` ones are correct.

    The two numbers are equal, except for boundary-only scores of one type, where a span of one type may be found under
    another type.
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
    Scores of entities or relations. Types are those of gold and predictions, sorted by name.

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
    Outcomes by a property. `groups` are in natural order, without those that are empty on both sides.

    name : one word, e.g. `width`. title : for display, e.g. `Width in tokens`.
    outcomes : the columns, as in `Errors`.
    gold, predicted : `(groups, outcomes)`, counts. Each sums to its total in `Errors`.
    unknown : why there is nothing to show; empty otherwise.
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
    gold, predicted : `(outcomes,)`, counts per outcome. No gold one is spurious, no predicted one missed.
    breakdowns : by type, width, surface form, sentence length, nesting.
    confusion : `(names, names)`, gold in rows and predicted in columns; row sums are gold counts, column sums predicted
        counts. The entry of `none` with itself is 0. A boundary error is on the diagonal because its type is right.
    confusion_names : the types, then `none`.
    examples : one dictionary per error, the lines of errors.jsonl:
        {"kind": "entity", "class": "boundary", "gold": mention or None, "predicted": mention or None, "text": …,
        "source": "file:line", "sentence": number from 0}
        where a mention is {"type", "text", "fragments" (in characters of text), "start", "end", "score"}. For gold the
        score is the probability that the model assigns to it. Relations have {"type", "head": mention, "tail": mention,
        …}.
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
    Calibration: whether predictions with a probability of 0.8 are right in 80 of 100 cases. Without predictions, arrays
    are empty and figures are NaN.

    scores, is_correct : `(predictions,)`, the probability of each entity and whether it is right.
    edges : `(bins + 1,)` from 0 to 1. counts, confidence, accuracy : `(bins,)`; nan in an empty bin.
    ece : expected calibration error, the mean distance between confidence and accuracy over predictions.
    brier : mean squared distance between the score and 1 (right) or 0 (wrong).
    coverage, risk : risk-coverage curve: the error rate among the most probable share `coverage` of predictions.
    risk_area : area under that curve; lower is better.
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
    The effect of a temperature. Scores are divided by it, so a temperature above 1 makes the model less confident.

    fitted_on : the file. archive : path of the calibrated model.
    likelihood_before, likelihood_after : mean log-likelihood of a sentence's gold labels in that file.
    calibration : like `Analysis.calibration`, with the new probabilities.
    changed : number of sentences whose predictions change, because some decoders compare probabilities.
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
    The model's distribution over types on the tokens of each gold entity.

    names : the types, and last `none`: the remaining probability that these tokens are not exactly an entity.
    probabilities : `(n, names)`; rows sum to 1.
    gold : `(n,)`, index of the true type; never that of `none`.
    predicted : `(n,)`, index of the type that the model decoded on these tokens, or that of `none`.
    total : number of gold entities; n is smaller if only a sample was kept.
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

    log_ratio : `(n,)`, log2 of the ratio of the output's probability to that of the true type.
    d_value : `(n,)`, variance of the probabilities of all types divided by the probability of the true type.
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
    Whether model A is significantly better than model B: a paired bootstrap over sentences.

    metric : `entity F1` or `relation F1`. first, second : of A and of B. difference : first minus second.
    low, high : 95 % confidence interval of the difference.
    p_value : one-tailed, for the null hypothesis of no difference.
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
class ComparedModel:
    """
    Another model on the same file.

    scores, relations, errors, calibration : as in `Analysis`, for the second model.
    agreement : for each type, `(4,)` counts of gold entities found by both, only A, only B (the second model), and
        neither.
    significance : for entities and, if there are any, relations.
    only_first, only_second : examples: {"mention": …, "text", "source", "sentence", "gold": prediction,
        "first": prediction of A, "second": prediction of B}, most confident first.
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
    model : the archive. kind : `tagger`, `span`, `joint_relation`. file : the analysed file.
    sentences, tokens : its size.
    out_of_reach : number of gold entities that this model cannot find by design: nested or discontinuous ones for a
        tagger, too wide ones, unknown types. They count as missed.
    entities, relations : scores; relations are `None` for a model without relations.
    errors, relation_errors : likewise.
    calibration : of the entity scores. tempered : with the fitted temperature, if any.
    noise : possible annotation errors, most suspicious first, in the format of `suspect_records`.
    worst : the sentences with the lowest F1; ties are sorted by the probability of gold, lowest first:
        {"sentence", "source", "f1", "gold_probability", "gold": prediction, "predicted": prediction}
        `gold_probability` is the geometric mean of the probabilities of the gold entities. Predictions are dictionaries
        in the format of `allennlp predict`.
    label_probabilities, discrepancy : for the pictures of the span-level paper.
    loss_curve : of the training, if its files are available.
    findings : sentences, most useful first.
    rival : the second model, if given.
    command : the command line that reproduces this report.
    spans_are_given : whether the model was given the spans of the gold entities and only predicted their types. Its
        figures are not end-to-end scores and cannot be compared with them.
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
    rival: ComparedModel | None = None
    command: str = ""
    spans_are_given: bool = False
