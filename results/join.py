"""
Joins two measurements of one comparison that have different seeds, as if all seeds had been measured at once.

Everything is computed again from the scores of the runs, except the paired tests: each belongs to one seed.
"""

import statistics
from dataclasses import asdict
from typing import Any

from ner_zoo.experiments.summary import SPLITS, figure

Measured = dict[str, Any]
Row = dict[str, Any]


class NotJoinable(ValueError):
    """Two measurements that cannot be reported in one table."""


def join(old: Measured, new: Measured, command: str) -> Measured:
    """command : measures all seeds at once."""
    for name in ("metrics", "versions", "threads"):
        if old[name] != new[name]:
            raise NotJoinable(f"They differ in {name}: {old[name]} and {new[name]}. Measure all seeds again.")
    repeated = {key(run) for run in old["runs"]} & {key(run) for run in new["runs"]}
    if repeated:
        config, _, seed = min(repeated)
        raise NotJoinable(f"Both have {config} with seed {seed}. Measure seeds that are not there yet.")
    names = [row["name"] for row in old["configs"]]
    strangers = {row["name"] for row in new["configs"]} - set(names)
    if strangers:
        raise NotJoinable(f"Only the new measurement has {', '.join(sorted(strangers))}. Measure all seeds again.")
    runs = old["runs"] + new["runs"]
    metrics = old["metrics"]
    kinds = {(run["config"], run["variant"]): None for run in runs}
    rows = {kind: filled(kind, runs, metrics) for kind in kinds}
    configs = [{**chosen(one, rows, metrics[0]), **place(one)} for one in old["configs"]]
    baseline = configs[0]
    for row in [*rows.values(), *configs]:
        if row["name"] != baseline["name"] or row["variant"] != baseline["variant"]:
            compare(row, baseline)
    pairs = sorted(old["pairs"] + new["pairs"], key=lambda pair: (names.index(pair["config"]), pair["seed"]))
    several = {name for name in names if sum(config == name for config, _ in kinds) > 1}
    return {
        **old,
        "command": command,
        "parts": [*old.get("parts", [part(old)]), part(new)],
        "configs": configs,
        "variants": [row for (name, _), row in rows.items() if name in several],
        "pairs": pairs,
        "runs": runs,
    }


def key(run: Row) -> tuple[str, str, int]:
    return run["config"], run["variant"], run["seed"]


def part(measured: Measured) -> dict[str, Any]:
    """What was measured at one time."""
    return {"seeds": sorted({run["seed"] for run in measured["runs"]}), "hardware": measured["hardware"]}


def place(row: Row) -> Row:
    return {name: row[name] for name in ("path", "is_baseline")}


def chosen(old: Row, rows: dict[tuple[str, str], Row], metric: str) -> Row:
    """The best variant on dev, which must have been tested with every seed."""
    own = [row for (name, _), row in rows.items() if name == old["name"]]
    best = max(own, key=lambda row: (dev_mean(row, metric) is not None, dev_mean(row, metric) or 0.0))
    counts = {len(figures[metric]["scores"]) for figures in best["figures"].values()}
    if len(counts) > 1:
        raise NotJoinable(
            f"{best['variant']} is the best value for {best['name']} over all seeds, but not in one of the two "
            "measurements, which therefore has no test scores for it. Measure all seeds again."
        )
    return best


def dev_mean(row: Row, metric: str) -> float | None:
    found = row["figures"].get("dev", {}).get(metric)
    return None if found is None else found["mean"]


def filled(kind: tuple[str, str], runs: list[Row], metrics: list[str]) -> Row:
    """A row of compare.json without its tests against the first config."""
    own = [run for run in runs if (run["config"], run["variant"]) == kind]
    finished = [run for run in own if run["state"] == "finished"]
    best = max(finished, key=lambda run: run["dev"].get(metrics[0], 0.0), default=None)
    figures: dict[str, Any] = {}
    for split in SPLITS:
        for metric in metrics:
            scores = [run[split][metric] for run in finished if metric in run[split]]
            if scores:
                figures.setdefault(split, {})[metric] = asdict(figure(scores, [], metric))
    return {
        "name": kind[0],
        "variant": kind[1],
        "seeds": [run["seed"] for run in own],
        "finished_seeds": [run["seed"] for run in finished],
        "figures": figures,
        "best_seed_on_dev": {
            split: {metric: best[split][metric] for metric in metrics if metric in best[split]}
            for split in SPLITS
            if best is not None
        },
        "wall_seconds": mean(finished, "wall_seconds"),
        "cpu_seconds": mean(finished, "cpu_seconds"),
        "peak_memory_mb": max((run["peak_memory_mb"] for run in finished), default=None),
    }


def mean(runs: list[Row], name: str) -> float | None:
    return statistics.mean(run[name] for run in runs) if runs else None


def compare(row: Row, baseline: Row) -> None:
    """Adds the tests against the first config."""
    for split, figures in row["figures"].items():
        for metric, one in figures.items():
            others = baseline["figures"].get(split, {}).get(metric, {"scores": []})["scores"]
            figures[metric] = asdict(figure(one["scores"], others, metric))
