"""
Prints an analysis on a terminal: scores, error classes, key findings, and the path of the report.
"""

from pathlib import Path
from typing import Any

from ner_zoo.analysis.analysis import Analysis, Errors, Score, Scores

MOST_TYPES = 20
FINDINGS = 3


def print_summary(analysis: Analysis, folder: Path, console: Any = None) -> None:
    """`console` is one of rich (default: the terminal)."""
    from rich.console import Console

    console = console or Console()
    kind = f"{analysis.kind}, spans given" if analysis.spans_are_given else analysis.kind
    console.print(f"[bold]{escaped(analysis.model)}[/] ({kind}) on [bold]{escaped(analysis.file)}[/]")
    console.print(f"{analysis.sentences:,} sentences, {analysis.tokens:,} tokens", style="dim")
    console.print(scores_table(analysis))
    console.print(errors_table(analysis))
    for line in probability_lines(analysis):
        console.print(line)
    for number, finding in enumerate(analysis.findings[:FINDINGS], start=1):
        console.print(f"[bold]{number}.[/] {escaped(finding)}")
    console.print(f"Report: [bold]{escaped(str(folder / 'report.html'))}[/]")


def scores_table(analysis: Analysis) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("", "precision", "recall", "F1", "gold", "found", "F1 by boundaries"):
        table.add_column(name, justify="left" if not name else "right")
    _add_scores(table, "entities", analysis.entities)
    if analysis.relations is not None:
        _add_scores(table, "relations", analysis.relations)
    if analysis.rival is not None:
        _add_row(
            table, "second model: entities", analysis.rival.scores.strict, analysis.rival.scores.boundaries, "bold"
        )
        if analysis.rival.relations is not None:
            strict, boundaries = analysis.rival.relations.strict, analysis.rival.relations.boundaries
            _add_row(table, "second model: relations", strict, boundaries, "bold")
    return table


def _add_scores(table: Any, name: str, scores: Scores) -> None:
    _add_row(table, name, scores.strict, scores.boundaries, "bold")
    frequent = sorted(scores.by_type, key=lambda type: -scores.by_type[type].gold)[:MOST_TYPES]
    for type in frequent:
        _add_row(table, f"  {type}", scores.by_type[type], scores.boundaries_by_type[type])
    if len(scores.by_type) > MOST_TYPES:
        table.add_row(f"  and {len(scores.by_type) - MOST_TYPES} more types", style="dim")


def _add_row(table: Any, name: str, strict: Score, boundaries: Score, style: str | None = None) -> None:
    figures = [f"{100 * value:.2f}" for value in (strict.precision, strict.recall, strict.f1)]
    counts = [f"{strict.gold:,}", f"{strict.found:,}"]
    table.add_row(escaped(name), *figures, *counts, f"{100 * boundaries.f1:.2f}", style=style)


def errors_table(analysis: Analysis) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    rows: list[tuple[str, Errors]] = [("entities", analysis.errors)]
    if analysis.relation_errors is not None:
        rows.append(("relations", analysis.relation_errors))
    for name in ("errors", *analysis.errors.outcomes):
        table.add_column(name, justify="left" if name == "errors" else "right")
    for name, errors in rows:
        if errors.outcomes != analysis.errors.outcomes:
            table.add_row("", *(f"[dim]{outcome}[/]" for outcome in errors.outcomes))
        counts = [max(pair) for pair in zip(errors.gold.tolist(), errors.predicted.tolist())]
        table.add_row(name, *(f"{count:,}" for count in counts))
    return table


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
        lines.append(
            f"With temperature {tempered.temperature:.3f}: {figures}. Calibrated model: {escaped(tempered.archive)}"
        )
    return lines


def escaped(text: str) -> str:
    """Escapes square brackets, which are markup in rich."""
    return text.replace("[", "\\[")
