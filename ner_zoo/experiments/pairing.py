"""
Compares single runs sentence by sentence: each run of a config with the first config's run for the same seed index.
"""

from dataclasses import dataclass

from ner_zoo.analysis.significance import Paired, approximate_randomisation, paired_bootstrap
from ner_zoo.experiments.evaluation import Evaluation
from ner_zoo.experiments.plan import Run


@dataclass(frozen=True)
class Pair:
    """A run, its baseline run and the metric of a paired test; or why it cannot be done."""

    run: Run
    baseline: Run
    metric: str
    bootstrap: Paired | None = None
    randomisation: Paired | None = None
    problem: str = ""


def pair_up(
    runs: list[Run], baselines: list[Run], evaluations: dict[str, Evaluation], metrics: list[str]
) -> list[Pair]:
    """Pairs for the runs that were evaluated."""
    pairs = []
    for run in runs:
        for baseline in baselines:
            if baseline.number == run.number and run.name in evaluations and baseline.name in evaluations:
                ours, theirs = evaluations[run.name], evaluations[baseline.name]
                pairs += [pair(run, baseline, metric, ours, theirs) for metric in metrics if metric in ours.counts]
    return pairs


def pair(run: Run, baseline: Run, metric: str, ours: Evaluation, theirs: Evaluation) -> Pair:
    if ours.sentences != theirs.sentences or metric not in theirs.counts:
        return Pair(run, baseline, metric, problem="The configs do not read the same sentences from the file.")
    counts, others = ours.counts[metric], theirs.counts[metric]
    return Pair(run, baseline, metric, paired_bootstrap(counts, others), approximate_randomisation(counts, others))
