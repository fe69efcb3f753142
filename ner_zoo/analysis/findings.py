"""
Summarises the most important figures in sentences.

Each rule is weighted by the number of affected entities; the highest weights come first.
"""

from collections.abc import Callable
from math import isnan

import numpy as np

from ner_zoo.analysis.analysis import CORRECT, ENTITY_OUTCOMES, Analysis, Breakdown

# The number of affected entities, and the sentence.
Finding = tuple[float, str] | None
# In smaller groups, differences are likely to be chance.
SMALLEST_GROUP = 10
CLASS_NAMES = {
    "boundary": "have the right type but wrong boundaries",
    "type": "have the right boundaries but the wrong type",
    "both": "have both the wrong type and wrong boundaries",
    "missed": "are missed entities",
    "spurious": "are spurious entities",
}


def findings(analysis: Analysis) -> list[str]:
    found = [rule(analysis) for rule in RULES]
    weighed = sorted((one for one in found if one is not None), key=lambda one: -one[0])
    return [text for _, text in weighed] or ["The file has no entities, so there is nothing to report."]


def _given_spans(analysis: Analysis) -> Finding:
    if not analysis.spans_are_given:
        return None
    text = (
        "This model was given the spans of the entities: the figures show how well it distinguishes types, not how "
        "well it finds entities. Do not compare them with end-to-end F1."
    )
    return float("inf"), text


def _most_frequent_error(analysis: Analysis) -> Finding:
    errors = analysis.errors
    counts = np.maximum(errors.gold, errors.predicted)[1:]
    if not counts.sum():
        return (float(errors.gold[0]), "All entities are correct.") if errors.gold[0] else None
    first = int(counts.argmax())
    name = ENTITY_OUTCOMES[first + 1]
    share = counts[first] / counts.sum()
    text = f"{share:.0%} of all errors ({counts[first]:,} of {counts.sum():,}) {CLASS_NAMES[name]}."
    return float(counts[first]), text


def _confused_types(analysis: Analysis) -> Finding:
    matrix = analysis.errors.confusion[:-1, :-1].copy()
    np.fill_diagonal(matrix, 0)
    if not matrix.any():
        return None
    gold, predicted = np.unravel_index(matrix.argmax(), matrix.shape)
    names, count = analysis.errors.confusion_names, int(matrix.max())
    times = "once" if count == 1 else f"{count:,} times"
    return float(count), f"{names[gold]} is most often confused with {names[predicted]}: {times}."


def _weakest_type(analysis: Analysis) -> Finding:
    scores = {t: s for t, s in analysis.entities.by_type.items() if s.gold >= SMALLEST_GROUP}
    if len(scores) < 2:
        return None
    type = min(scores, key=lambda name: scores[name].f1)
    score = scores[type]
    lost = score.gold - score.found
    text = f"{type} is the weakest type: F1 {score.f1:.1%}, {score.found:,} of {score.gold:,} found."
    return (lost, text) if lost else None


def _unseen_forms(analysis: Analysis) -> Finding:
    recalls = _recalls(next(one for one in analysis.errors.breakdowns if one.name == "form"))
    if "seen" not in recalls or "unseen" not in recalls:
        return None
    (seen, _, _), (unseen, lost, size) = recalls["seen"], recalls["unseen"]
    if seen <= unseen:
        return None
    text = f"Recall is {unseen:.0%} for names that are not in the training data ({size:,}), {seen:.0%} for the others."
    return lost, text


def _worst_group(analysis: Analysis) -> Finding:
    """The width, length or nesting with the lowest recall, if it stands out."""
    overall = analysis.entities.strict.recall
    candidates = []
    for breakdown in analysis.errors.breakdowns:
        if breakdown.name in ("width", "length", "nesting"):
            for group, (recall, lost, size) in _recalls(breakdown).items():
                if recall < overall - 0.1:
                    excess = lost - size * (1 - overall)
                    candidates.append((excess, recall, size, breakdown.title.lower(), group))
    if not candidates:
        return None
    excess, recall, size, title, group = max(candidates)
    return (
        excess,
        f"Weak spot by {title}: {group} has a recall of {recall:.0%} ({size:,} entities), compared with {overall:.0%} "
        "overall.",
    )


def _out_of_reach(analysis: Analysis) -> Finding:
    count, gold = analysis.out_of_reach, analysis.entities.strict.gold
    if not count:
        return None
    text = (
        f"{count:,} of {gold:,} gold entities cannot be found by this model (nested, discontinuous, too wide or of an "
        f"unknown type): its recall cannot exceed {1 - count / gold:.1%}."
    )
    return float(count), text


def _confidence(analysis: Analysis) -> Finding:
    calibration = analysis.calibration
    if isnan(calibration.ece) or len(calibration.scores) < SMALLEST_GROUP or calibration.ece < 0.03:
        return None
    mean, right = float(calibration.scores.mean()), float(calibration.is_correct.mean())
    how = "overconfident" if mean > right else "underconfident" if mean < right else "badly calibrated"
    advice = "" if analysis.tempered else " --calibrate DEV may fix this."
    text = f"The model is {how}: its mean probability is {mean:.0%}, its precision {right:.0%}.{advice}"
    return calibration.ece * len(calibration.scores), text


def _temperature(analysis: Analysis) -> Finding:
    tempered = analysis.tempered
    if tempered is None or isnan(analysis.calibration.ece) or isnan(tempered.calibration.ece):
        return None
    before, after = analysis.calibration.ece, tempered.calibration.ece
    change = f"temperature {tempered.temperature:.2f} changes the ECE from {before:.2%} to {after:.2%}"
    if tempered.fitted_on == analysis.file:
        return float("inf"), f"On the file it was fitted to, {change}. Evaluate it on another file."
    if after < before:
        return float("inf"), f"Calibration helps: {change}."
    text = (
        f"Calibration does not help here: {change}. The temperature is fitted to all labels of {tempered.fitted_on}, "
        f"including missed entities; the predicted entities were better calibrated before."
    )
    return float("inf"), text


def _noise(analysis: Analysis) -> Finding:
    sure = [one for one in analysis.noise if one["confidence"] >= 0.9]
    if not sure:
        return None
    missing = sum(one["kind"] == "missing" for one in sure)
    text = (
        f"The model contradicts {len(sure):,} annotation{'s' * (len(sure) != 1)} with a confidence of 90 % or more "
        f"(including {missing:,} missing ones): see noise.jsonl."
    )
    return 0.5 * len(sure), text


def _rival(analysis: Analysis) -> Finding:
    if analysis.rival is None or not analysis.rival.significance:
        return None
    test = analysis.rival.significance[0]
    if not test.difference:
        return float("inf"), f"Both models have the same F1, {test.first:.2%}."
    better = "A" if test.difference >= 0 else "B"
    certainty = "significant" if test.p_value < 0.05 else "not significant"
    text = (
        f"Model {better} is better by {abs(test.difference) * 100:.2f} points of F1 (95 % confidence interval of A "
        f"minus B: {test.low * 100:+.2f} to {test.high * 100:+.2f}): {certainty}, p = {test.p_value:.3g}."
    )
    return float("inf"), text


def _recalls(breakdown: Breakdown) -> dict[str, tuple[float, float, int]]:
    """For each sufficiently large group: recall, missed entities, size."""
    sizes, right = breakdown.gold.sum(1), breakdown.gold[:, ENTITY_OUTCOMES.index(CORRECT)]
    return {
        group: (right[i] / sizes[i], float(sizes[i] - right[i]), int(sizes[i]))
        for i, group in enumerate(breakdown.groups)
        if sizes[i] >= SMALLEST_GROUP
    }


RULES: tuple[Callable[[Analysis], Finding], ...] = (
    _given_spans,
    _rival,
    _temperature,
    _most_frequent_error,
    _confused_types,
    _weakest_type,
    _unseen_forms,
    _worst_group,
    _out_of_reach,
    _confidence,
    _noise,
)
