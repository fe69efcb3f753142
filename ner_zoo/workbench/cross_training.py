"""
One model for each fold of the training data, trained on all the others: runs of `compare`'s scheduler.

    runs/clean/fold_1/seed_13370/          the model that has not seen the first fold
    runs/clean/folds_5_13370_….json        which sentence is in which fold

What is finished is not trained again, and what was interrupted continues from its checkpoint.
"""

import copy
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.folds import fold_path
from ner_zoo.experiments import record
from ner_zoo.experiments.plan import DEFAULT_SEED, SEED_KEYS, Run, digest
from ner_zoo.experiments.schedule import FINISHED, KEPT, Engine, Schedule, failure_reason


def seed_of(config: dict[str, Any]) -> int:
    return int(config.get("random_seed") or DEFAULT_SEED)


def fold_runs(config: dict[str, Any], folder: Path, folds: Path, count: int) -> list[Run]:
    """The runs of all folds, in their order; `folds` is the file that says which sentence is in which."""
    seed = seed_of(config)
    shown = os.path.relpath(folds)
    runs = []
    for fold in range(count):
        params = {**copy.deepcopy(config), **dict.fromkeys(SEED_KEYS, seed)}
        params["train_data_path"] = fold_path(config["train_data_path"], shown, fold, is_rest=True)
        for key in ("test_data_path", "evaluate_on_test"):
            params.pop(key, None)
        name = f"fold_{fold + 1}"
        # By the name of the folds' file and not its place: the folder may move.
        hashed = {**params, "train_data_path": [config["train_data_path"], folds.name, fold]}
        place = Path(os.path.relpath(folder)) / name / f"seed_{seed}"
        runs.append(Run(name, "", seed, 0, place, params, digest(hashed)))
    return runs


@dataclass
class CrossTraining:
    """
    runs : of the folds.
    engine, watch : where they are trained, and who looks on.
    packages : modules to import before training.
    """

    runs: Sequence[Run]
    engine: Engine
    watch: Callable[[Schedule], None]
    packages: Sequence[str] = ()
    rerun_changed: bool = False

    def execute(self) -> list[Path]:
        """Trains what is not trained yet; the archives of all folds, in their order."""
        record.check(list(self.runs), self.rerun_changed)
        schedule = Schedule(self.runs, self.engine, self.watch, self.packages)
        schedule.execute()
        failed = [run for run in self.runs if schedule.states[run.name] not in (FINISHED, KEPT)]
        if failed:
            reasons = "\n".join(f"{run.name}: {failure_reason(run)}" for run in failed)
            raise ConfigurationError(
                f"{len(failed)} of {len(self.runs)} folds could not be trained:\n{reasons}\n"
                f"The whole log of the first is {failed[0].beside(record.LOG)}. The same command tries them again."
            )
        return [run.folder / "model.tar.gz" for run in self.runs]
