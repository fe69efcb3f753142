"""
The summary of an analysis for a terminal: scores, error classes, key findings, and the path of the report.
"""

from pathlib import Path

from ner_zoo.analysis.analysis import Analysis, Score, Scores
from ner_zoo.rendering.tables import text_table

MOST_TYPES = 20
FINDINGS = 3
Row = list[str]


def summary(analysis: Analysis, folder: Path) -> str:
    kind = f"{analysis.kind}, spans given" if analysis.spans_are_given else analysis.kind
    lines = [
        f"{analysis.model} ({kind}) on {analysis.file}",
        f"{analysis.sentences:,} sentences, {analysis.tokens:,} tokens",
        *text_table(score_rows(analysis)),
        *text_table(error_rows(analysis)),
        *probability_lines(analysis),
    ]
    lines += [f"{number}. {finding}" for number, finding in enumerate(analysis.findings[:FINDINGS], start=1)]
    return "\n".join([*lines, f"Report: {folder / 'report.html'}"])


def score_rows(analysis: Analysis) -> list[Row]:
    rows = [
        ["", "precision", "recall", "F1", "gold", "found", "F1 by boundaries"],
        *_rows("entities", analysis.entities),
    ]
    if analysis.relations is not None:
        rows += _rows("relations", analysis.relations)
    if analysis.rival is not None:
        rows.append(_row("second model: entities", analysis.rival.scores.strict, analysis.rival.scores.boundaries))
        if analysis.rival.relations is not None:
            strict, boundaries = analysis.rival.relations.strict, analysis.rival.relations.boundaries
            rows.append(_row("second model: relations", strict, boundaries))
    return rows


def _rows(name: str, scores: Scores) -> list[Row]:
    frequent = sorted(scores.by_type, key=lambda type: -scores.by_type[type].gold)[:MOST_TYPES]
    rows = [_row(name, scores.strict, scores.boundaries)]
    rows += [_row(f"  {type}", scores.by_type[type], scores.boundaries_by_type[type]) for type in frequent]
    hidden = len(scores.by_type) - len(frequent)
    return [*rows, [f"  and {hidden} more types"]] if hidden else rows


def _row(name: str, strict: Score, boundaries: Score) -> Row:
    figures = [f"{100 * value:.2f}" for value in (strict.precision, strict.recall, strict.f1)]
    return [name, *figures, f"{strict.gold:,}", f"{strict.found:,}", f"{100 * boundaries.f1:.2f}"]


def error_rows(analysis: Analysis) -> list[Row]:
    rows: list[Row] = []
    for name, errors in (("entities", analysis.errors), ("relations", analysis.relation_errors)):
        if errors is not None:
            counts = [max(pair) for pair in zip(errors.gold.tolist(), errors.predicted.tolist())]
            rows += [["" if rows else "errors", *errors.outcomes], [name, *(f"{count:,}" for count in counts)]]
    return rows


def probability_lines(analysis: Analysis) -> list[str]:
    """The calibration of the probabilities, and the effect of a temperature."""
    calibration = analysis.calibration
    lines = [f"Probabilities: ECE {100 * calibration.ece:.2f} %, Brier {calibration.brier:.4f}"]
    if not len(calibration.scores):
        lines = ["Nothing was predicted, so there are no probabilities to evaluate."]
    if analysis.tempered is not None:
        tempered = analysis.tempered
        after = tempered.calibration
        figures = f"ECE {100 * after.ece:.2f} %, Brier {after.brier:.4f}" if len(after.scores) else "nothing predicted"
        lines.append(f"With temperature {tempered.temperature:.3f}: {figures}. Calibrated model: {tempered.archive}")
    return lines
