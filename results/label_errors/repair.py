"""
Measures the effect of repair: CoNLL04 with 20 % errors, trained as is, with a robust loss, and after `clean --apply`.
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

# Name -> config, training data, overrides, and the number of seeds. The confidence is chosen on dev.
CONDITIONS: dict[str, tuple[str, str, str, int]] = {
    "nll, errors": ("conll04", "noisy", "", 3),
    "nll, replaced above 0.98": ("conll04", "replace 0.98", "", 3),
    "nll, no errors": ("conll04", "clean", "", 3),
    "nll, replaced above 0.95": ("conll04", "replace 0.95", "", 3),
    "span: nrces, errors": ("conll04_span", "noisy", "use.nrces(w=10, keep=1.0)", 3),
    "span: nll, errors": ("conll04_span", "noisy", "", 3),
    "partial_likelihood, unknown above 0.98": ("conll04", "unknown 0.98", "use.partial_likelihood()", 3),
}
METRICS = ("entity_f1", "relation_f1")


def training_files(folder: Path, count: int) -> dict[str, str]:
    """Writes the corrected corpora."""
    noisy, _ = noisy_file("conll04", 20, folder)
    files = {"noisy": str(noisy), "clean": str(Path(data()) / "conll04" / "train.txt")}
    corrected = {split for _, split, _, _ in CONDITIONS.values()} - set(files)
    places = {split: folder / split.replace(" ", "_") for split in corrected}
    if not all((place / "cleaned.jsonl").exists() for place in places.values()):
        cleaning, _, _ = judged("conll04", 20, folder, count)
        for split, place in places.items():
            action, above = split.split()
            place.mkdir(exist_ok=True)
            write_cleaned(cleaning, place, action, float(above))
    return files | {split: str(place / "cleaned.jsonl") for split, place in places.items()}


def runs_of(files: dict[str, str], folder: Path, seeds: int) -> list[Run]:
    """Seed by seed, so that there are results early."""
    runs = []
    for number in range(seeds):
        for name, (config, split, overrides, most) in CONDITIONS.items():
            if number >= most:
                continue
            path = str(ROOT / "results" / "label_errors" / f"{config}.jsonnet")
            params = Params.from_file(path, overrides).as_dict(quiet=True)
            seed = int(params["random_seed"]) + number
            params.update(dict.fromkeys(SEED_KEYS, seed), train_data_path=files[split])
            place = folder / "repair" / name.replace(", ", "_").replace(": ", "_").replace(" ", "_") / f"seed_{seed}"
            runs.append(Run(name, "", seed, number, place, params, digest(params)))
    return runs


def measure(folder: Path, count: int, seeds: int, most_runs: int | None = None) -> list[dict[str, Any]]:
    """For each condition, the test scores of all finished seeds."""
    runs = runs_of(training_files(folder, count), folder, seeds)[:most_runs]
    schedule = Schedule(runs, LocalEngine(1), LineProgress())
    schedule.execute()
    return summary(runs)


def summary(runs: list[Run]) -> list[dict[str, Any]]:
    """The scores of the finished runs."""
    from ner_zoo.experiments import record

    path = str(Path(data()) / "conll04" / "test.txt")
    tasks = [Task(run, "test", path) for run in runs if record.is_finished(run)]
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
