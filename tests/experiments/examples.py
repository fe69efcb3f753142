"""Configs so small that a run takes a second, and fake finished runs."""

import json
from pathlib import Path
from typing import Any

from ner_zoo.experiments import record
from ner_zoo.experiments.plan import Plan, Run
from ner_zoo.experiments.process import Usage
from ner_zoo.experiments.schedule import Handle, Schedule, Training

DEMO = Path(__file__).parent.parent.parent / "fixtures" / "demo"


def demo_config(folder: Path, **changes: Any) -> dict[str, Any]:
    """A tagger with two epochs on two dozen sentences of the bundled corpus."""
    for name, count in (("train", 24), ("dev", 12), ("test", 12)):
        lines = (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / f"{name}.jsonl").write_text("".join(lines[:count]), encoding="utf-8")
    config = {
        "dataset_reader": {"type": "span_json", "view": "tags", "token_indexers": {"words": "single_id"}},
        "train_data_path": str(folder / "train.jsonl"),
        "validation_data_path": str(folder / "dev.jsonl"),
        "model": {
            "type": "tagger",
            "embedder": {"token_embedders": {"words": {"type": "embedding", "embedding_dim": 8}}},
            "encoder": {"type": "lstm", "input_size": 8, "hidden_size": 8},
            "head": "crf",
            "loss": "nll",
            "dropout": 0.2,
        },
        "data_loader": {"batch_size": 4, "shuffle": True},
        "trainer": {
            "num_epochs": 2,
            "optimizer": {"type": "adam", "lr": 0.05},
            "validation_metric": "+entity_f1",
            "cuda_device": -1,
        },
    }
    return {**config, **changes}


def write_config(folder: Path, name: str, config: dict[str, Any]) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(config))
    return path


def plain_config(**changes: Any) -> dict[str, Any]:
    """A config that suffices for tests without training."""
    return {
        "random_seed": 5,
        "model": {"loss": {"df": 0.9}},
        "trainer": {"num_epochs": 4, "validation_metric": "+entity_f1"},
        **changes,
    }


def pretend(run: Run, f1: float, test: float | None = None) -> None:
    """Writes the files of a finished run."""
    record.begin(run, 0.0)
    known = record.read(run)
    assert known is not None
    record.write(run, known.after(record.FINISHED, 0, Usage(60.0, 50.0, 700.0)))
    run.folder.mkdir(parents=True, exist_ok=True)
    figures = {"entity_f1": f1, "entity_precision": f1 + 0.1, "entity_recall": f1 - 0.1, "entity_f1/PER": 1.0}
    best = {f"best_validation_{name}": value for name, value in figures.items()}
    tested = {} if test is None else {"test_entity_f1": test}
    (run.folder / "metrics.json").write_text(json.dumps({"best_epoch": 1, **best, **tested}))
    for epoch, score in enumerate((f1 / 2, f1)):
        content = {"validation_entity_f1": score, "epoch": epoch}
        (run.folder / f"metrics_epoch_{epoch}.json").write_text(json.dumps(content))


class PretendingEngine:
    """
    Does not train: a run is finished as soon as it starts, with the score given for its name, or fails.
    """

    slots = 2
    threads = 1

    def __init__(self, scores: dict[str, float]) -> None:
        self.scores = scores
        self.started: list[str] = []
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    def start(self, run: Run, training: Training) -> Handle:
        assert self.is_open
        self.started.append(run.name)
        if run.name in self.scores:
            pretend(run, self.scores[run.name])
            return Ended(0)
        run.beside(record.LOG).write_text("2026 - INFO - something\nError: It does not work.\n")
        return Ended(1)

    def close(self) -> None:
        pass


class Ended:
    def __init__(self, status: int) -> None:
        self.status = status

    def ended(self) -> tuple[int, Usage]:
        return self.status, Usage(1.0, 2.0, 300.0)

    def stop(self) -> tuple[int, Usage]:
        return self.ended()


def executed(plan: Plan, scores: dict[str, float]) -> Schedule:
    schedule = Schedule(plan.runs, PretendingEngine(scores))
    schedule.execute()
    return schedule
