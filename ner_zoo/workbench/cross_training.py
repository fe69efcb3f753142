"""
Trains one or more models per fold of the training data on all the other folds, with the scheduler of `compare`.

    runs/clean/fold_1/seed_13370/          a model that has not seen the first fold
    runs/clean/folds_5_13370_….json        the fold of each sentence

Finished models are not trained again, and interrupted ones resume from their checkpoints.
"""

import copy
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.folds import fold_path
from ner_zoo.experiments import record
from ner_zoo.experiments.plan import DEFAULT_SEED, SEED_KEYS, Run, digest
from ner_zoo.experiments.schedule import FINISHED, KEPT, Engine, Schedule, failure_reason


def seed_of(config: dict[str, Any]) -> int:
    return int(config.get("random_seed") or DEFAULT_SEED)


def fold_runs(config: dict[str, Any], folder: Path, folds: Path, count: int, repeats: int = 1) -> list[Run]:
    """
    The runs of all folds, seed by seed.

    folds : the file with the fold of each sentence; `count` is the number of folds.
    repeats : the number of models of each fold; their seeds count up from the config's own.
    """
    shown = os.path.relpath(folds)
    runs = []
    for number, fold in product(range(repeats), range(count)):
        seed = seed_of(config) + number
        params = {**copy.deepcopy(config), **dict.fromkeys(SEED_KEYS, seed)}
        params["train_data_path"] = fold_path(config["train_data_path"], shown, fold, is_rest=True)
        for key in ("test_data_path", "evaluate_on_test"):
            params.pop(key, None)
        name = f"fold_{fold + 1}"
        # By the name of the folds' file, not its path: the folder may be moved.
        hashed = {**params, "train_data_path": [config["train_data_path"], folds.name, fold]}
        place = Path(os.path.relpath(folder)) / name / f"seed_{seed}"
        runs.append(Run(name, "", seed, number, place, params, digest(hashed), comparison=place.parent.parent))
    return runs


@dataclass
class CrossTraining:
    """
    runs : the runs of the folds.
    engine, watch : where to train them, and how to show progress.
    packages : modules to import before training.
    """

    runs: Sequence[Run]
    engine: Engine
    watch: Callable[[Schedule], None]
    packages: Sequence[str] = ()
    rerun_changed: bool = False

    def execute(self) -> list[list[Path]]:
        """Trains what is not trained yet; returns the archives of each fold, in order."""
        record.check(list(self.runs), self.rerun_changed)
        schedule = Schedule(self.runs, self.engine, self.watch, self.packages)
        schedule.execute()
        failed = [run for run in self.runs if schedule.states[run.name] not in (FINISHED, KEPT)]
        if failed:
            reasons = "\n".join(f"{run.name}: {failure_reason(run)}" for run in failed)
            raise ConfigurationError(
                f"{len(failed)} of {len(self.runs)} models could not be trained:\n{reasons}\n"
                f"See the log of the first, {failed[0].beside(record.LOG)}. Run the same command to try again."
            )
        archives: dict[str, list[Path]] = {}
        for run in self.runs:
            archives.setdefault(run.config, []).append(run.folder / "model.tar.gz")
        return list(archives.values())
