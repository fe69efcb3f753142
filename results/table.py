"""
The tables of a comparison in Markdown, from the output of `allennlp compare`, or "not measured".
"""

from collections.abc import Sequence
from typing import Any

from results.comparison import Comparison

Measured = dict[str, Any] | None
DEV, TEST = "dev", "test"
NOT_MEASURED = "not measured"
SMALLEST_P = 0.0001
NONE = "–"


def split_of(measured: dict[str, Any]) -> str:
    """The split of the scores: test data if available."""
    return TEST if any(TEST in row["figures"] for row in measured["configs"]) else DEV


def row_of(config: str, measured: Measured) -> dict[str, Any] | None:
    """The measurements of a config, if any."""
    rows = {row["name"]: row for row in measured["configs"]} if measured is not None else {}
    row = rows.get(config)
    return row if row is not None and row["finished_seeds"] else None


def figure_of(config: str, metric: str, measured: Measured, split: str | None = None) -> dict[str, Any] | None:
    """Its figure on a split (default: test data if available)."""
    row = row_of(config, measured)
    if measured is None or row is None:
        return None
    figures: dict[str, Any] = row["figures"].get(split or split_of(measured), {})
    return figures.get(metric)


def variant_of(config: str, measured: Measured) -> str:
    """The varied value of a config that was best on development data."""
    row = row_of(config, measured)
    return f" ({row['variant']})" if row is not None and row.get("variant") else ""


def names_of(comparison: Comparison) -> list[str]:
    """The names of the configs in compare.json."""
    return [path.stem for path in comparison.paths]


def score(figure: dict[str, Any] | None) -> str:
    """Mean ± standard deviation, in percent."""
    if figure is None:
        return NOT_MEASURED
    deviation = "" if figure["sd"] is None else f" ± {100 * figure['sd']:.2f}"
    return f"{100 * figure['mean']:.2f}{deviation}"


def p_value(figure: dict[str, Any] | None) -> str:
    if figure is None or figure["p_value"] is None:
        return NONE
    return f"<{SMALLEST_P}" if figure["p_value"] < SMALLEST_P else f"{figure['p_value']:.4f}"


def effect(figure: dict[str, Any] | None) -> str:
    return NONE if figure is None or figure["cohens_d"] is None else f"{figure['cohens_d']:.2f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in [header, ["---"] * len(header), *rows]]
    return "\n".join(lines)


def score_table(comparison: Comparison, metric: str, measured: Measured) -> str:
    """One metric of every config next to the paper's: on development data, and on test data if measured."""
    split = "" if measured is None else f", {split_of(measured)}"
    has_both = measured is not None and split_of(measured) == TEST
    has_tests = comparison.are_rivals and metric == comparison.metrics[0] and len(comparison.configs) > 1
    header = [
        "config",
        *([f"{metric}, {DEV}"] if has_both else []),
        f"{metric}{split}",
        "by seed",
        *(["p", "d"] if has_tests else []),
        "paper",
        "same protocol?",
    ]
    rows = []
    for name in names_of(comparison):
        figure = figure_of(name, metric, measured)
        rows.append(
            [
                f"`{name}`" + variant_of(name, measured),
                *([score(figure_of(name, metric, measured, DEV))] if has_both else []),
                score(figure),
                NONE if figure is None else ", ".join(f"{100 * value:.2f}" for value in figure["scores"]),
                *([p_value(figure), effect(figure)] if has_tests else []),
                comparison.published.get(name, {}).get(metric, NONE),
                comparison.same_protocol["answer"],
            ]
        )
    return table(header, rows)


def cost_table(comparison: Comparison, measured: dict[str, Any]) -> str:
    rows = []
    for name in names_of(comparison):
        row = row_of(name, measured)
        if row is not None:
            seeds = ", ".join(map(str, row["finished_seeds"]))
            missing = len(row["seeds"]) - len(row["finished_seeds"])
            rows.append(
                [
                    f"`{name}`",
                    seeds + (f" ({missing} more did not finish)" if missing else ""),
                    NONE if row["wall_seconds"] is None else f"{row['wall_seconds'] / 60:.1f}",
                    NONE if row["cpu_seconds"] is None else f"{row['cpu_seconds'] / 60:.1f}",
                    NONE if row["peak_memory_mb"] is None else f"{row['peak_memory_mb']:,.0f} MB",
                ]
            )
    return table(["config", "seeds", "minutes per run", "CPU minutes per run", "peak memory"], rows)


def pair_table(comparison: Comparison, measured: dict[str, Any]) -> str:
    """Paired tests of single runs, sentence by sentence; empty if there are none."""
    if not (comparison.are_rivals and measured.get("pairs")):
        return ""
    rows = []
    for pair in measured["pairs"]:
        tests = [pair.get("bootstrap"), pair.get("randomisation")]
        known = next((test for test in tests if test is not None), None)
        interval = known["interval"] if known is not None else None
        rows.append(
            [
                f"`{pair['config']}` against `{pair['baseline']}`",
                pair["metric"],
                str(pair["seed"]),
                NONE if known is None else f"{100 * known['difference']:+.2f}",
                NONE if interval is None else f"{100 * interval[0]:+.2f} to {100 * interval[1]:+.2f}",
                *(p_value(test) for test in tests),
            ]
        )
    header = [
        "sentence by sentence",
        "metric",
        "seed",
        "difference",
        "95% interval",
        "p, bootstrap",
        "p, randomisation",
    ]
    return table(header, rows)


def variant_table(measured: dict[str, Any], metric: str) -> str:
    """Values that were tried on development data; empty if nothing was varied."""
    if not measured.get("variants"):
        return ""
    rows = [
        [f"`{row['name']}`", row["variant"], score(row["figures"].get(DEV, {}).get(metric))]
        for row in measured["variants"]
    ]
    return table(["tried", "", f"{metric}, dev"], rows)


def short_table(comparison: Comparison, measured: Measured) -> str:
    """For other pages: scores, significance and the paper's figures."""
    metrics = comparison.metrics
    has_tests = comparison.are_rivals and len(comparison.configs) > 1
    header = ["config", *metrics, *(["p"] if has_tests else []), "paper"]
    rows = []
    for name in names_of(comparison):
        figures = [figure_of(name, metric, measured) for metric in metrics]
        published = [comparison.published.get(name, {}).get(metric) for metric in metrics]
        rows.append(
            [
                f"`{name}`",
                *map(score, figures),
                *([p_value(figures[0])] if has_tests else []),
                " / ".join(value or NONE for value in published) if any(published) else NONE,
            ]
        )
    return table(header, rows)


def series_table(series: Sequence[Comparison], measured: dict[str, dict[str, Any]]) -> str:
    """
    Several comparisons whose first configs correspond, under the same names or longer ones: one row per
    config of the first comparison, one column per comparison.
    """
    metric = series[0].metrics[0]
    rows = []
    for number in range(len(series[0].configs)):
        names = [names_of(one)[number] for one in series]
        scores = [score(figure_of(name, metric, measured.get(one.name))) for name, one in zip(names, series)]
        rows.append([f"`{min(names, key=len)}`", *scores])
    return table(["", *(one.title for one in series)], rows)
