"""
All figures of an analysis as one JSON object: `metrics.json`. Undefined values, such as the ECE without predictions,
are null.
"""

from collections import Counter
from math import isfinite
from typing import Any

import numpy as np

from ner_zoo.analysis.analysis import (
    CORRECT,
    DOWN,
    STABLE,
    UP,
    Analysis,
    Breakdown,
    Calibration,
    ComparedModel,
    Errors,
    LabelProbabilities,
    Score,
    Scores,
    Tempered,
)

DECIMALS = 6


def to_numbers(analysis: Analysis) -> dict[str, Any]:
    discrepancy = analysis.discrepancy
    numbers = {
        "model": analysis.model,
        "kind": analysis.kind,
        "file": analysis.file,
        "sentences": analysis.sentences,
        "tokens": analysis.tokens,
        "out_of_reach": analysis.out_of_reach,
        "spans_are_given": analysis.spans_are_given,
        "entities": _scores(analysis.entities),
        "relations": analysis.relations and _scores(analysis.relations),
        "errors": _errors(analysis.errors),
        "relation_errors": analysis.relation_errors and _errors(analysis.relation_errors),
        "calibration": _calibration(analysis.calibration),
        "tempered": analysis.tempered and _tempered(analysis.tempered),
        "noise": dict(Counter(f"{one['kind']} {one['of']}" for one in analysis.noise)),
        "true_label_probability": _true_label(analysis.label_probabilities),
        "discrepancy": {kind: discrepancy.count(kind) for kind in (UP, STABLE, DOWN)},
        "loss_curve": analysis.loss_curve and vars(analysis.loss_curve),
        "findings": analysis.findings,
        "rival": analysis.rival and _rival(analysis.rival),
        "command": analysis.command,
    }
    return plain(numbers)


def plain(value: Any) -> Any:
    """Converts values to types that JSON supports."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (float, np.floating)):
        return round(float(value), DECIMALS) if isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def _score(score: Score) -> dict[str, Any]:
    figures = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    return {**figures, "gold": score.gold, "predicted": score.predicted, "found": score.found, "right": score.right}


def _scores(scores: Scores) -> dict[str, Any]:
    types = {
        type: {**_score(score), "boundaries": _score(scores.boundaries_by_type[type])}
        for type, score in scores.by_type.items()
    }
    return {**_score(scores.strict), "boundaries": _score(scores.boundaries), "types": types}


def _errors(errors: Errors) -> dict[str, Any]:
    return {
        "gold": _outcomes(errors, errors.gold),
        "predicted": _outcomes(errors, errors.predicted),
        "by": {one.name: _breakdown(one) for one in errors.breakdowns},
        "confusion": {"names": errors.confusion_names, "gold_by_predicted": errors.confusion},
    }


def _outcomes(table: Any, counts: np.ndarray) -> dict[str, int]:
    return dict(zip(table.outcomes, counts.tolist()))


def _breakdown(breakdown: Breakdown) -> Any:
    if breakdown.unknown:
        return {"unknown": breakdown.unknown}
    correct = breakdown.outcomes.index(CORRECT)
    groups: dict[str, Any] = {}
    for group, gold, predicted in zip(breakdown.groups, breakdown.gold, breakdown.predicted):
        groups[group] = {
            "recall": _share(gold[correct], gold.sum()),
            "precision": _share(predicted[correct], predicted.sum()),
            "gold": _outcomes(breakdown, gold),
            "predicted": _outcomes(breakdown, predicted),
        }
    return groups


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _calibration(calibration: Calibration) -> dict[str, Any]:
    columns = (calibration.edges, calibration.edges[1:], calibration.counts, calibration.confidence)
    bins = [
        {"from": low, "to": high, "count": count, "confidence": confidence, "accuracy": accuracy}
        for low, high, count, confidence, accuracy in zip(*columns, calibration.accuracy)
    ]
    figures = {"ece": calibration.ece, "brier": calibration.brier, "risk_area": calibration.risk_area}
    return {**figures, "predictions": len(calibration.scores), "bins": bins}


def _tempered(tempered: Tempered) -> dict[str, Any]:
    return {
        "temperature": tempered.temperature,
        "fitted_on": tempered.fitted_on,
        "archive": tempered.archive,
        "likelihood": {"before": tempered.likelihood_before, "after": tempered.likelihood_after},
        "calibration": _calibration(tempered.calibration),
        "changed_sentences": tempered.changed,
    }


def _true_label(labels: LabelProbabilities) -> dict[str, Any]:
    true, is_right = labels.true_probability, labels.is_right
    return {
        "median_right": float(np.median(true[is_right])) if is_right.any() else None,
        "median_wrong": float(np.median(true[~is_right])) if (~is_right).any() else None,
        "entities": labels.total,
        "looked_at": len(labels.gold),
    }


def _rival(rival: ComparedModel) -> dict[str, Any]:
    names = ("both", "only_first", "only_second", "neither")
    return {
        "model": rival.model,
        "kind": rival.kind,
        "entities": _scores(rival.scores),
        "relations": rival.relations and _scores(rival.relations),
        "errors": _errors(rival.errors),
        "calibration": _calibration(rival.calibration),
        "agreement": {type: dict(zip(names, counts)) for type, counts in rival.agreement.items()},
        "significance": [vars(test) for test in rival.significance],
    }
