"""
Measures the effect of repair: CoNLL04 with 20 % errors, trained as is, with a robust loss, and after `clean --apply`.
"""

import re
from collections.abc import Collection
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

from allennlp.common import Params

from ner_zoo.experiments.evaluation import Task, evaluate_all
from ner_zoo.experiments.plan import SEED_KEYS, Run, digest
from ner_zoo.experiments.progress import LineProgress
from ner_zoo.experiments.schedule import LocalEngine, Schedule
from ner_zoo.workbench.clean_files import write_cleaned
from results.comparison import ROOT, data
from results.label_errors.find import judged, noisy_file


class Correction(NamedTuple):
    """The options of `clean --apply`."""

    action: str
    above: float
    repeats: int = 1
    judge: str = "conll04"

    def folder(self) -> str:
        return "_".join(map(str, self))


NOISY, ORIGINAL = "noisy", "original"
PARTIAL = "use.partial_likelihood()"
# Name -> config, training data, overrides. The options of `clean` are chosen on dev.
CONDITIONS: dict[str, tuple[str, str | Correction, str]] = {
    "nll, errors": ("conll04", NOISY, ""),
    "nll, replaced above 0.98": ("conll04", Correction("replace", 0.98), ""),
    "partial_likelihood, unknown above 0.8, `--repeats 2`": (
        "conll04",
        Correction("unknown", 0.8, repeats=2),
        PARTIAL,
    ),
    "nll, replaced above 0.98, found with an encoder": (
        "conll04",
        Correction("replace", 0.98, judge="conll04_encoder"),
        "",
    ),
    "nll, no errors": ("conll04", ORIGINAL, ""),
    "span: nrces, errors": ("conll04_span", NOISY, "use.nrces(w=10, keep=1.0)"),
    "span: nll, errors": ("conll04_span", NOISY, ""),
}
METRICS = ("entity_f1", "relation_f1")


def training_files(folder: Path, count: int, names: Collection[str]) -> dict[str | Correction, str]:
    """Writes the corrected corpora of these conditions."""
    noisy, _ = noisy_file("conll04", 20, folder)
    files: dict[str | Correction, str] = {NOISY: str(noisy), ORIGINAL: str(Path(data()) / "conll04" / "train.txt")}
    for _, one, _ in (CONDITIONS[name] for name in names):
        if isinstance(one, Correction):
            place = folder / one.folder()
            files[one] = str(place / "cleaned.jsonl")
            if not Path(files[one]).exists():
                place.mkdir(exist_ok=True)
                cleaning, _, _ = judged("conll04", 20, folder, count, one.repeats, one.judge)
                write_cleaned(cleaning, place, one.action, one.above)
    return files


def runs_of(files: dict[str | Correction, str], folder: Path, seeds: int, names: Collection[str]) -> list[Run]:
    """Seed by seed, so that there are results early."""
    runs = []
    for number in range(seeds):
        for name in names:
            config, trained_on, overrides = CONDITIONS[name]
            path = str(ROOT / "results" / "label_errors" / f"{config}.jsonnet")
            params = Params.from_file(path, overrides).as_dict(quiet=True)
            seed = int(params["random_seed"]) + number
            params.update(dict.fromkeys(SEED_KEYS, seed), train_data_path=files[trained_on])
            place = folder / "repair" / re.sub(r"[^\w.]+", "_", name).strip("_") / f"seed_{seed}"
            runs.append(Run(name, "", seed, number, place, params, digest(params)))
    return runs


def measure(folder: Path, count: int, seeds: int, names: Collection[str]) -> list[dict[str, Any]]:
    """For each of these conditions, the test scores of all finished seeds."""
    runs = runs_of(training_files(folder, count, names), folder, seeds, names)
    Schedule(runs, LocalEngine(1), LineProgress()).execute()
    return summary(runs, names)


def summary(runs: list[Run], names: Collection[str]) -> list[dict[str, Any]]:
    """The scores of the finished runs."""
    from ner_zoo.experiments import record

    path = str(Path(data()) / "conll04" / "test.txt")
    tasks = [Task(run, "test", path) for run in runs if record.is_finished(run)]
    evaluate_all(tasks, 1, 1, print)
    rows = []
    for name in names:
        found = [evaluation for task in tasks if task.run.config == name and (evaluation := task.read())]
        scores = {m: [one.metrics[m] for one in found if m in one.metrics] for m in METRICS}
        figures = {
            m: {"values": some, "mean": mean(some), "sd": stdev(some) if len(some) > 1 else None}
            for m, some in scores.items()
            if some
        }
        rows.append({"name": name, "seeds": len(found), **figures})
    return rows
