"""
Calibration of the probabilities.

    ECE   = sum over bins of (share of predictions in the bin) * |mean probability - share that is right|
    Brier = mean of (probability - [right])^2
    risk at a coverage: the error rate among the most probable predictions that make up that share
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ner_zoo.analysis.analysis import Calibration
from ner_zoo.analysis.answers import Answer

BINS = 10


def entity_calibration(answers: Iterable[Answer]) -> Calibration:
    """Calibration of all predicted entities."""
    pairs = [
        (score, entity in gold)
        for answer in answers
        for gold in [set(answer.sentence.entities)]
        for entity, score in answer.entities.items()
    ]
    return calibration([score for score, _ in pairs], [is_right for _, is_right in pairs])


def calibration(scores: Sequence[float], is_correct: Sequence[bool], bins: int = BINS) -> Calibration:
    score, right = np.asarray(scores, dtype=np.float64), np.asarray(is_correct, dtype=bool)
    edges = np.linspace(0.0, 1.0, bins + 1)
    # A probability of 1 belongs to the last bin.
    place = np.clip((score * bins).astype(np.int64), 0, bins - 1)
    counts = np.bincount(place, minlength=bins)
    filled = np.where(counts > 0, counts, np.nan)
    confidence = np.bincount(place, weights=score, minlength=bins) / filled
    accuracy = np.bincount(place, weights=right, minlength=bins) / filled
    has_any = len(score) > 0
    coverage, risk = risk_coverage(score, right)
    return Calibration(
        scores=score,
        is_correct=right,
        edges=edges,
        counts=counts,
        confidence=confidence,
        accuracy=accuracy,
        ece=float(np.nansum(counts * np.abs(confidence - accuracy)) / len(score)) if has_any else float("nan"),
        brier=float(np.mean((score - right) ** 2)) if has_any else float("nan"),
        coverage=coverage,
        risk=risk,
        risk_area=float(np.mean(risk)) if has_any else float("nan"),
    )


def risk_coverage(scores: np.ndarray, is_correct: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    The curve, with one point per prediction. Errors among predictions with equal probability are spread evenly, so that
    the order in the file does not matter.
    """
    order = np.argsort(-scores, kind="stable")
    ordered, wrong = scores[order], (~is_correct[order]).astype(np.float64)
    _, group, size = np.unique(-ordered, return_inverse=True, return_counts=True)
    errors = np.bincount(group, weights=wrong, minlength=len(size)) / np.maximum(size, 1)
    taken = np.arange(1, len(ordered) + 1)
    return taken / max(1, len(ordered)), np.cumsum(errors[group]) / np.maximum(taken, 1)
