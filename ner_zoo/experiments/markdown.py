"""
Writes `compare.md`: the table for a paper, followed by the details needed to interpret it.
"""

from collections.abc import Sequence
from typing import Any

from ner_zoo.experiments import schedule
from ner_zoo.experiments.pairing import Pair
from ner_zoo.experiments.scores import is_less_better
from ner_zoo.experiments.summary import DEV, TEST, Figure, Result, Row, Summary, _reason
from ner_zoo.rendering.tables import markdown_table

SMALLEST_P = 0.0001


def render(summary: Summary, machine: dict[str, Any]) -> str:
    splits = [split for split in (DEV, TEST) if any(row.figures.get(split) for row in summary.rows)]
    parts = ["# Comparison"]
    for split in splits or [DEV]:
        parts.append(f"## {split.capitalize()}\n\n" + split_table(summary, summary.rows, split))
    if summary.pairs:
        parts.append("## Single runs, sentence by sentence\n\n" + pair_table(summary.pairs))
    if summary.variants:
        parts.append("## Variants, on dev\n\n" + split_table(summary, summary.variants, DEV))
    parts.append("## Cost\n\n" + cost_table(summary.rows))
    failures = failed(summary.results)
    if failures:
        parts.append("## Not finished\n\n" + failures)
    return "\n\n".join([*parts, notes(summary, machine)]) + "\n"


def split_table(summary: Summary, rows: Sequence[Row], split: str) -> str:
    header = ["config", "seeds"]
    for metric in summary.metrics:
        header += [metric, "p", "d"] if metric == summary.metrics[0] else [metric]
    if split == TEST:
        header.append(f"{summary.metrics[0]}, best seed on dev")
    body = []
    for row in rows:
        line = [name_of(row), seeds_of(row)]
        for metric in summary.metrics:
            figure = row.figures.get(split, {}).get(metric)
            line.append(score(figure, metric))
            if metric == summary.metrics[0]:
                line += [p_value(figure), effect(figure)]
        if split == TEST:
            value = row.best.get(TEST, {}).get(summary.metrics[0])
            line.append("" if value is None else number(value, summary.metrics[0]))
        body.append(line)
    return markdown_table(header, body)


def pair_table(pairs: Sequence[Pair]) -> str:
    """Differences in points, with bootstrap interval and p-value."""
    body = []
    for pair in pairs:
        names = [pair.run.name, pair.baseline.name, pair.metric]
        if pair.bootstrap is None or pair.randomisation is None or pair.bootstrap.interval is None:
            body.append([*names, pair.problem, "", "", ""])
        else:
            low, high = pair.bootstrap.interval
            p_values = [f"{test.p_value:.4f}" for test in (pair.bootstrap, pair.randomisation)]
            difference, interval = f"{100 * pair.bootstrap.difference:+.2f}", f"{100 * low:+.2f} to {100 * high:+.2f}"
            body.append([*names, difference, interval, *p_values])
    return markdown_table(["run", "against", "metric", "difference", "95 %", "p, bootstrap", "p, randomisation"], body)


def cost_table(rows: Sequence[Row]) -> str:
    body = []
    for row in rows:
        records = [result.record for result in row.finished if result.record is not None]
        if records:
            wall, cpu = (
                sum(getattr(one, name) for one in records) / len(records) for name in ("wall_seconds", "cpu_seconds")
            )
            memory = max(one.peak_memory_mb for one in records)
            # Counted from 1, as on the screen.
            bests = [result.scores.best_epoch for result in row.finished]
            epochs = ["–" if best is None else str(best + 1) for best in bests]
            body.append([name_of(row), duration(wall), duration(cpu), f"{memory:,.0f} MB", ", ".join(epochs)])
        else:
            body.append([name_of(row), "", "", "", ""])
    return markdown_table(["config", "time per run", "CPU time per run", "peak memory", "best epochs"], body)


def failed(results: Sequence[Result]) -> str:
    parts = []
    for result in results:
        if not result.is_finished:
            reason = _reason(result)
            details = "" if reason is None else "\n\n" + "\n".join(f"      {line}" for line in reason.splitlines())
            where = f", see {result.run.beside('.log').name}" if result.state == schedule.FAILED else ""
            parts.append(f"- {result.run.name}: {result.state}{where}{details}")
    return "\n".join(parts)


def notes(summary: Summary, machine: dict[str, Any]) -> str:
    first = summary.rows[0].config
    chosen = (
        "Variants were chosen on dev by the scores shown there, so p and d on dev are too optimistic for configs with "
        "variants, increasingly so with more variants. Rely on the test file.\n\n"
    )
    return (
        "Mean ± standard deviation over seeds, F1 and similar metrics in percent, at the best epoch on dev. "
        f"p: one-tailed Welch t-test for being better than {first}; d: Cohen's d relative to it.\n\n"
        f"{chosen if summary.variants else ''}"
        f"{machine['hardware']['processor']}, {machine['hardware']['cores']} cores, parallel runs: {machine['jobs']}, "
        f"threads per run: {machine['threads']}.\n\n    {machine['command']}"
    )


def name_of(row: Row) -> str:
    return f"{row.config} ({row.variant})" if row.variant else row.config


def seeds_of(row: Row) -> str:
    done, planned = len(row.finished), len(row.results)
    states = {result.state for result in row.results if not result.is_finished}
    return str(done) if done == planned else f"{done} of {planned} ({', '.join(sorted(states))})"


def is_share(metric: str) -> bool:
    return not is_less_better(metric)


def number(value: float, metric: str) -> str:
    return f"{100 * value:.2f}" if is_share(metric) else f"{value:.4f}"


def score(figure: Figure | None, metric: str) -> str:
    if figure is None:
        return ""
    deviation = "" if figure.sd is None else f" ± {number(figure.sd, metric)}"
    return number(figure.mean, metric) + deviation


def p_value(figure: Figure | None) -> str:
    if figure is None or figure.p_value is None:
        return ""
    return f"<{SMALLEST_P}" if figure.p_value < SMALLEST_P else f"{figure.p_value:.4f}"


def effect(figure: Figure | None) -> str:
    return "" if figure is None or figure.cohens_d is None else f"{figure.cohens_d:.2f}"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def lines_of(summary: Summary) -> list[str]:
    """The main table, for a terminal."""
    split = TEST if any(row.figures.get(TEST) for row in summary.rows) else DEV
    return split_table(summary, summary.rows, split).splitlines()
