"""
Repair pays: CoNLL04 with 20 % errors, trained as it is, with a robust loss, and after `clean --apply`; on test.
"""

from pathlib import Path
from statistics import mean, stdev
from typing import Any

from allennlp.common import Params

from ner_zoo.experiments.evaluation import Task, evaluate_all
from ner_zoo.experiments.plan import SEED_KEYS, Run, digest
from ner_zoo.experiments.progress import LineProgress
from ner_zoo.experiments.schedule import LocalEngine, Schedule
from ner_zoo.workbench.clean_files import write_cleaned
from results.comparison import ROOT, data
from results.label_errors.find import judged, noisy_file

ABOVE = 0.9
METRICS = ("entity_f1", "relation_f1")
# Name -> config, training data, overrides.
CONDITIONS: dict[str, tuple[str, str, str]] = {
    "nll, errors": ("conll04", "noisy", ""),
    "nll, replaced": ("conll04", "replace", ""),
    "nll, no errors": ("conll04", "clean", ""),
    "partial_likelihood, unknown": ("conll04", "unknown", "use.partial_likelihood()"),
    "span: nrces, errors": ("conll04_span", "noisy", "use.nrces(w=10, keep=1.0)"),
    "span: nll, errors": ("conll04_span", "noisy", ""),
}


def training_files(folder: Path, count: int) -> dict[str, str]:
    """Writes the corrected corpora."""
    noisy, _ = noisy_file("conll04", 20, folder)
    files = {"noisy": str(noisy), "clean": str(Path(data()) / "conll04" / "train.txt")}
    missing = [action for action in ("replace", "unknown") if not (folder / action / "cleaned.jsonl").exists()]
    if missing:
        cleaning, _, _ = judged("conll04", 20, folder, count)
        for action in missing:
            (folder / action).mkdir(exist_ok=True)
            write_cleaned(cleaning, folder / action, action, ABOVE)
    return files | {action: str(folder / action / "cleaned.jsonl") for action in ("replace", "unknown")}


def runs_of(files: dict[str, str], folder: Path, seeds: int) -> list[Run]:
    """Seed by seed, so that there is something to report early."""
    runs = []
    for number in range(seeds):
        for name, (config, split, overrides) in CONDITIONS.items():
            path = str(ROOT / "results" / "label_errors" / f"{config}.jsonnet")
            params = Params.from_file(path, overrides).as_dict(quiet=True)
            seed = int(params["random_seed"]) + number
            params.update(dict.fromkeys(SEED_KEYS, seed), train_data_path=files[split])
            place = folder / "repair" / name.replace(", ", "_").replace(": ", "_").replace(" ", "_") / f"seed_{seed}"
            runs.append(Run(name, "", seed, number, place, params, digest(params)))
    return runs


def measure(folder: Path, count: int, seeds: int, most_runs: int | None = None) -> list[dict[str, Any]]:
    """For each condition the test scores of all seeds that were run."""
    runs = runs_of(training_files(folder, count), folder, seeds)[:most_runs]
    schedule = Schedule(runs, LocalEngine(1), LineProgress())
    schedule.execute()
    return summary(runs)


def summary(runs: list[Run]) -> list[dict[str, Any]]:
    """Of the runs that are finished."""
    from ner_zoo.experiments import record

    tasks = [Task(run, "test", str(Path(data()) / "conll04" / "test.txt")) for run in runs if record.is_finished(run)]
    evaluate_all(tasks, 1, 1, print)
    rows = []
    for name in CONDITIONS:
        found = [evaluation for task in tasks if task.run.config == name and (evaluation := task.read())]
        scores = {m: [one.metrics[m] for one in found if m in one.metrics] for m in METRICS}
        figures = {
            m: {"values": some, "mean": mean(some), "sd": stdev(some) if len(some) > 1 else None}
            for m, some in scores.items()
            if some
        }
        rows.append({"name": name, "seeds": len(found), **figures})
    return rows
