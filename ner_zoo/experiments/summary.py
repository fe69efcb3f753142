"""
Summarises a comparison: mean and deviation of each config over its seeds, and the significance against the first
config.

A config is represented by its variant with the best mean on dev.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ner_zoo.analysis.significance import cohens_d, welch
from ner_zoo.experiments import record, schedule
from ner_zoo.experiments.evaluation import Evaluation
from ner_zoo.experiments.pairing import Pair
from ner_zoo.experiments.plan import Plan, Run
from ner_zoo.experiments.scores import (
    Scores,
    is_less_better,
    read_scores,
    relative,
    selection_score,
    validation_metrics,
    with_companions,
    with_prefix,
)

DEV, TEST = "dev", "test"
SPLITS = (DEV, TEST)


@dataclass(frozen=True)
class Result:
    """A run with everything known about it."""

    run: Run
    state: str
    scores: Scores
    record: record.Record | None

    @property
    def is_finished(self) -> bool:
        return self.state in (schedule.KEPT, schedule.FINISHED)

    @property
    def selection(self) -> float | None:
        return selection_score(self.run, self.scores.dev) if self.is_finished else None

    def of(self, split: str) -> dict[str, float]:
        return self.scores.dev if split == DEV else self.scores.test


@dataclass(frozen=True)
class Figure:
    """One metric of a config over its seeds; p-value and effect size against the first config."""

    scores: list[float]
    mean: float
    sd: float | None
    p_value: float | None = None
    cohens_d: float | None = None


@dataclass
class Row:
    """
    variant : the best variant on dev, if there are any.
    figures : split -> metric -> figure.
    best : split -> metric -> score of the best seed on dev.
    """

    config: str
    variant: str
    results: list[Result]
    figures: dict[str, dict[str, Figure]] = field(default_factory=dict)
    best: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def finished(self) -> list[Result]:
        return [result for result in self.results if result.is_finished]

    @property
    def selection(self) -> float | None:
        scores = [result.selection for result in self.finished if result.selection is not None]
        return statistics.mean(scores) if scores else None


@dataclass(frozen=True)
class Summary:
    """rows : one per config, in the given order; variants : one per variant of configs with several."""

    metrics: list[str]
    rows: list[Row]
    variants: list[Row]
    results: list[Result]
    pairs: list[Pair] = field(default_factory=list)


def summarise(
    plan: Plan,
    states: Mapping[str, str],
    metrics: Sequence[str] = (),
    tests: Mapping[str, Evaluation] | None = None,
) -> Summary:
    """
    states : the states of the runs to consider, by name.
    tests : evaluations on the test file, by run name; if there is none, what training itself measured.
    """
    results = [_result(run, states[run.name], (tests or {}).get(run.name)) for run in plan.runs if run.name in states]
    names = list(dict.fromkeys(metrics)) or default_metrics(results)
    rows: list[Row] = []
    variants: list[Row] = []
    for config in plan.configs:
        own = _variant_rows([result for result in results if result.run.config == config])
        if not own:
            continue
        rows.append(max(own, key=lambda row: (row.selection is not None, row.selection or 0.0)))
        variants += own if len(own) > 1 else []
    for row in {id(row): row for row in [*rows, *variants]}.values():
        _fill(row, rows[0], names)
    return Summary(names, rows, variants, results)


def _result(run: Run, state: str, test: Evaluation | None) -> Result:
    scores = read_scores(run)
    if test is not None:
        scores = replace(scores, test=with_prefix(test.metrics, ""))
    return Result(run, state, scores, record.read(run))


def default_metrics(results: Sequence[Result]) -> list[str]:
    """The validation metrics of the configs; for an F1, also its precision and recall."""
    selected = [name for result in results for name, _ in validation_metrics(result.run.params)]
    present = {name: value for result in results for name, value in result.scores.dev.items()}
    names = [name for metric in dict.fromkeys(selected) for name in with_companions(metric, present)]
    return list(dict.fromkeys(names))


def _variant_rows(results: Sequence[Result]) -> list[Row]:
    names = dict.fromkeys(result.run.variant for result in results)
    return [
        Row(results[0].run.config, name, [result for result in results if result.run.variant == name]) for name in names
    ]


def _fill(row: Row, first: Row, metrics: Sequence[str]) -> None:
    best = max(row.finished, key=lambda result: (result.selection is not None, result.selection or 0.0), default=None)
    for split in SPLITS:
        for metric in metrics:
            scores, baseline = (
                [result.of(split)[metric] for result in some.finished if metric in result.of(split)]
                for some in (row, first)
            )
            if scores:
                row.figures.setdefault(split, {})[metric] = figure(scores, [] if row is first else baseline, metric)
        if best is not None:
            row.best[split] = {metric: best.of(split)[metric] for metric in metrics if metric in best.of(split)}


def figure(scores: list[float], baseline: list[float], metric: str) -> Figure:
    deviation = statistics.stdev(scores) if len(scores) > 1 else None
    sign = -1 if is_less_better(metric) else 1
    ours, theirs = [sign * score for score in scores], [sign * score for score in baseline]
    return Figure(scores, statistics.mean(scores), deviation, welch(ours, theirs), cohens_d(ours, theirs))


def as_json(summary: Summary, plan: Plan) -> dict[str, Any]:
    """Everything except the description of the machine."""
    return {
        "metrics": summary.metrics,
        "configs": [
            {**_row_as_json(row), "path": relative(plan.configs[row.config]), "is_baseline": row is summary.rows[0]}
            for row in summary.rows
        ],
        "variants": [_row_as_json(row) for row in summary.variants],
        "pairs": [_pair_as_json(pair) for pair in summary.pairs],
        "runs": [_result_as_json(result) for result in summary.results],
    }


def _row_as_json(row: Row) -> dict[str, Any]:
    records = [result.record for result in row.finished if result.record is not None]
    return {
        "name": row.config,
        "variant": row.variant,
        "seeds": [result.run.seed for result in row.results],
        "finished_seeds": [result.run.seed for result in row.finished],
        "figures": {
            split: {metric: asdict(one) for metric, one in figures.items()} for split, figures in row.figures.items()
        },
        "best_seed_on_dev": row.best,
        "wall_seconds": statistics.mean(one.wall_seconds for one in records) if records else None,
        "cpu_seconds": statistics.mean(one.cpu_seconds for one in records) if records else None,
        "peak_memory_mb": max((one.peak_memory_mb for one in records), default=None),
    }


def _pair_as_json(pair: Pair) -> dict[str, Any]:
    return {
        "config": pair.run.config,
        "seed": pair.run.seed,
        "baseline": pair.baseline.config,
        "baseline_seed": pair.baseline.seed,
        "metric": pair.metric,
        "problem": pair.problem or None,
        "bootstrap": None if pair.bootstrap is None else asdict(pair.bootstrap),
        "randomisation": None if pair.randomisation is None else asdict(pair.randomisation),
    }


def _result_as_json(result: Result) -> dict[str, Any]:
    run, known = result.run, result.record
    return {
        "config": run.config,
        "variant": run.variant,
        "seed": run.seed,
        "hash": run.hash,
        # Relative to the folder of the comparison.
        "folder": "/".join(run.folder.parts[-3 if run.variant else -2 :]),
        "state": record.FINISHED if result.is_finished else result.state,
        "reason": _reason(result),
        "best_epoch": result.scores.best_epoch,
        "dev": result.scores.dev,
        "test": result.scores.test,
        "epochs": result.scores.epochs,
        **({} if known is None else {name: getattr(known, name) for name in USED}),
    }


USED = ("exit_status", "attempts", "wall_seconds", "cpu_seconds", "peak_memory_mb")


def _reason(result: Result) -> str | None:
    if result.state == schedule.NOT_RUN:
        return f"It needs {', '.join(other.name for other in result.run.needs)}."
    return schedule.failure_reason(result.run) if result.state == schedule.FAILED else None
