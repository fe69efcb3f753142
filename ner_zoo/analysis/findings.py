"""
The figures that are worth a sentence: what a reader should look at first.

Each rule weighs what it found by the entities that are concerned; the heaviest come first.
"""

from collections.abc import Callable
from math import isnan

import numpy as np

from ner_zoo.analysis.analysis import CORRECT, ENTITY_OUTCOMES, Analysis, Breakdown

# How many entities it is about, and what to say.
Finding = tuple[float, str] | None
# A group smaller than this shows chance.
SMALLEST_GROUP = 10
CLASS_NAMES = {
    "boundary": "have the right type on other tokens",
    "type": "have the right tokens and another type",
    "both": "have neither the right type nor the right tokens",
    "missed": "are entities that were missed",
    "spurious": "are entities where there are none",
}


def findings(analysis: Analysis) -> list[str]:
    found = [rule(analysis) for rule in RULES]
    weighed = sorted((one for one in found if one is not None), key=lambda one: -one[0])
    return [text for _, text in weighed] or ["There is nothing to learn from this file: it has no entities."]


def _given_spans(analysis: Analysis) -> Finding:
    if not analysis.spans_are_given:
        return None
    text = (
        "This model was given the spans of the entities: the figures say how well it distinguishes types, not how well "
        "it finds entities. Do not compare them with end-to-end F1."
    )
    return float("inf"), text


def _most_frequent_error(analysis: Analysis) -> Finding:
    errors = analysis.errors
    counts = np.maximum(errors.gold, errors.predicted)[1:]
    if not counts.sum():
        return (float(errors.gold[0]), "Every entity is right.") if errors.gold[0] else None
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
    return float(count), f"{names[gold]} is taken for {names[predicted]} most often: {_times(count)}."


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
    form = next((one for one in analysis.errors.breakdowns if one.name == "form"), None)
    if form is None or form.unknown or len(form.groups) < 2:
        return None
    recalls = _recalls(form)
    if "seen" not in recalls or "unseen" not in recalls:
        return None
    (seen, _, _), (unseen, lost, size) = recalls["seen"], recalls["unseen"]
    if seen <= unseen:
        return None
    text = f"Names not in the training data are found in {unseen:.0%} of {size:,} cases, those in it in {seen:.0%}."
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
        f"Weak spot by {title}: {group} has a recall of {recall:.0%} ({size:,} entities), {overall:.0%} overall.",
    )


def _out_of_reach(analysis: Analysis) -> Finding:
    count, gold = analysis.out_of_reach, analysis.entities.strict.gold
    if not count:
        return None
    text = (
        f"{count:,} of {gold:,} gold entities are out of this model's reach (nested, discontinuous, too wide or of a "
        f"type it does not know): its recall cannot exceed {1 - count / gold:.1%}."
    )
    return float(count), text


def _confidence(analysis: Analysis) -> Finding:
    calibration = analysis.calibration
    if isnan(calibration.ece) or len(calibration.scores) < SMALLEST_GROUP or calibration.ece < 0.03:
        return None
    mean, right = float(calibration.scores.mean()), float(calibration.is_correct.mean())
    how = "too sure of itself" if mean > right else "less sure than it could be" if mean < right else "badly calibrated"
    advice = "" if analysis.tempered else " --calibrate DEV may fix this."
    text = f"The model is {how}: it expects {mean:.0%} of its entities to be right, {right:.0%} are.{advice}"
    return calibration.ece * len(calibration.scores), text


def _temperature(analysis: Analysis) -> Finding:
    tempered = analysis.tempered
    if tempered is None or isnan(analysis.calibration.ece) or isnan(tempered.calibration.ece):
        return None
    before, after = analysis.calibration.ece, tempered.calibration.ece
    change = f"temperature {tempered.temperature:.2f} takes the ECE from {before:.2%} to {after:.2%}"
    if tempered.fitted_on == analysis.file:
        return float("inf"), f"On the file it was fitted to, {change}. Look at another file to see what that is worth."
    if after < before:
        return float("inf"), f"Calibration helps: {change}."
    text = (
        f"Calibration does not help here: {change}. The temperature fits all labels of {tempered.fitted_on}, also "
        "those of entities that were missed; what this model finds was better judged before."
    )
    return float("inf"), text


def _noise(analysis: Analysis) -> Finding:
    sure = [one for one in analysis.noise if one["confidence"] >= 0.9]
    if not sure:
        return None
    missing = sum(one["kind"] == "missing" for one in sure)
    text = (
        f"The model contradicts {_count(len(sure), 'annotation')} with a confidence of 90 % or more ({missing:,} "
        "missing ones among them): see noise.jsonl."
    )
    return 0.5 * len(sure), text


def _rival(analysis: Analysis) -> Finding:
    if analysis.rival is None or not analysis.rival.significance:
        return None
    test = analysis.rival.significance[0]
    if not test.difference:
        return float("inf"), f"Both models have the same F1, {test.first:.2%}."
    better = "A" if test.difference >= 0 else "B"
    certainty = "more than chance" if test.p_value < 0.05 else "may be chance"
    text = (
        f"Model {better} is better by {abs(test.difference) * 100:.2f} points of F1 (A less B with 95 % confidence "
        f"between {test.low * 100:+.2f} and {test.high * 100:+.2f}): {certainty}, p = {test.p_value:.3g}."
    )
    return float("inf"), text


def _recalls(breakdown: Breakdown) -> dict[str, tuple[float, float, int]]:
    """For each group that is large enough: recall, entities not found, size."""
    sizes, right = breakdown.gold.sum(1), breakdown.gold[:, ENTITY_OUTCOMES.index(CORRECT)]
    return {
        group: (right[i] / sizes[i], float(sizes[i] - right[i]), int(sizes[i]))
        for i, group in enumerate(breakdown.groups)
        if sizes[i] >= SMALLEST_GROUP
    }


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


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
