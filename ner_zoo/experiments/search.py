"""
Searches the variants with Optuna instead of trying all combinations; Optuna learns from the mean over seeds on dev.

Optuna's proposals depend only on a seed and on the results so far, and finished runs are kept: an interrupted search
repeats the same proposals without training them again, and continues.
"""

import statistics
from collections.abc import Callable, Sequence
from typing import Any

from ner_zoo.experiments.plan import Plan, Run, Variation, has_key, variant_name
from ner_zoo.experiments.scores import read_scores, selection_score
from ner_zoo.platform.extras import missing_packages

SEED = 13370
# Trains runs, and returns the names of finished ones.
Execute = Callable[[list[Run]], list[str]]


def search(plan: Plan, variations: Sequence[Variation], trials: int, slots: int, execute: Execute) -> None:
    """Trains configs without variations, then `trials` variants of each other config."""
    varied = {run.config for run in plan.runs if run.variant}
    execute([run for run in plan.runs if run.config not in varied])
    for config in plan.configs:
        if config in varied:
            _search_one([run for run in plan.runs if run.config == config], variations, trials, slots, execute)


def _search_one(runs: list[Run], variations: Sequence[Variation], trials: int, slots: int, execute: Execute) -> None:
    optuna = _import_optuna()
    own = [variation for variation in variations if has_key(runs[0].params, variation.key)]
    by_variant: dict[str, list[Run]] = {}
    for run in runs:
        by_variant.setdefault(run.variant, []).append(run)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=SEED))
    at_once = max(1, slots // len(by_variant[runs[0].variant]))
    chosen: list[Run] = []
    finished: set[str] = set()
    while len(study.trials) < trials:
        asked: list[tuple[Any, list[Run]]] = []
        for _ in range(min(at_once, trials - len(study.trials))):
            trial = study.ask()
            picks = {one.key: one.values[_suggest(trial, one)] for one in own}
            asked.append((trial, by_variant[variant_name(picks)]))
        # Earlier proposals are not tried again, whether finished or failed.
        new = [run for run in dict.fromkeys(run for _, some in asked for run in some) if run not in chosen]
        chosen += new
        finished.update(execute(new))
        for trial, some in asked:
            found = [selection_score(run, read_scores(run).dev) for run in some if run.name in finished]
            # A NaN loss is not a score.
            scores = [score for score in found if score is not None]
            state = None if scores else optuna.trial.TrialState.FAIL
            study.tell(trial, statistics.mean(scores) if scores else None, state=state)


def _suggest(trial: Any, variation: Variation) -> int:
    """The index of a value; for numbers, adjacent values are treated as similar."""
    count = len(variation.values)
    if all(isinstance(value, (int, float)) for value in variation.values):
        return trial.suggest_int(variation.key, 0, count - 1)
    return trial.suggest_categorical(variation.key, list(range(count)))


def _import_optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise missing_packages("--search optuna", "search") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
