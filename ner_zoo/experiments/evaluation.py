"""
Evaluates the model of a run, from its best epoch on dev, on a file: metrics, and the counts of every sentence.

The counts are those that the metrics add up, sorted by position in the file regardless of batch order. Results are
cached next to the run until the run or the file changes.
"""

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.sources import sources
from ner_zoo.data.vector_store import VARIABLE
from ner_zoo.experiments import record
from ner_zoo.experiments.plan import Run, digest
from ner_zoo.experiments.process import WorkerProcess
from ner_zoo.experiments.schedule import POLL_SECONDS
from ner_zoo.platform.atomic_files import write_atomically

Counts = list[tuple[int, int, int]]


@dataclass(frozen=True)
class Evaluation:
    """
    metrics : by name.
    counts : metric -> correct, predicted and gold counts of each sentence.
    sentences : fingerprint of the sentences and their order; evaluations with the same fingerprint can be paired.
    """

    metrics: dict[str, float]
    counts: dict[str, Counts]
    sentences: str


@dataclass(frozen=True)
class Task:
    """A run to evaluate on a file, as `split`."""

    run: Run
    split: str
    file: str

    @property
    def output(self) -> Path:
        return self.run.beside(f".{self.split}.json")

    @property
    def log(self) -> Path:
        return self.run.beside(f".{self.split}.log")

    def identity(self) -> str:
        """Fingerprint of the model and the file."""
        try:
            files = [Path(source.file) for source in sources(Corpus(), self.file)]
        except ConfigurationError:  # reported by the evaluation
            files = []
        seen = [(one.name, one.stat().st_size, one.stat().st_mtime_ns) for one in files]
        return digest([self.run.hash, Path(self.file).name, seen])

    def read(self) -> Evaluation | None:
        """The cached result, if it is still valid."""
        if not self.output.exists():
            return None
        content = json.loads(self.output.read_text())
        trained = self.run.folder / record.METRICS
        is_older = trained.exists() and self.output.stat().st_mtime_ns < trained.stat().st_mtime_ns
        if is_older or content["identity"] != self.identity():
            return None
        return Evaluation(content["metrics"], content["counts"], content["sentences"])


def evaluate_all(tasks: Sequence[Task], jobs: int, threads: int, tell: Callable[[str], None]) -> None:
    """Evaluates what is not cached, in separate processes; failures are reported and left out."""
    waiting = [task for task in tasks if task.read() is None]
    running: dict[WorkerProcess, Task] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.pop(0)
                arguments = (str(task.run.folder), task.file, str(task.output), task.identity(), task.run.vectors)
                work = WorkerProcess(evaluate, arguments, task.log, threads)
                work.start()
                running[work] = task
            time.sleep(POLL_SECONDS)
            for work in list(running):
                ended = work.ended()
                if ended is not None:
                    task = running.pop(work)
                    how = "was evaluated" if ended[0] == 0 else f"could not be evaluated (see {task.log})"
                    tell(f"{task.run.name} {how} on {task.file}")
    finally:
        for work in running:
            work.stop()


def evaluate(folder: str, file: str, output: str, identity: str, vectors: str | None = None) -> None:
    """Runs in a separate process. With `vectors`, frozen encoders process each sentence once for all runs."""
    from allennlp.common.plugins import import_plugins
    from allennlp.data import DataLoader
    from allennlp.models.archival import load_archive
    from allennlp.training.util import evaluate as evaluate_model

    from ner_zoo.training.frozen_vectors import store_vectors

    import_plugins()
    packed = Path(folder) / "model.tar.gz"
    archive = load_archive(packed if packed.exists() else folder)
    config = archive.config
    loader_params = (
        config.get("evaluation_data_loader") or config.get("validation_data_loader") or config["data_loader"]
    )
    loader = DataLoader.from_params(loader_params, reader=archive.validation_dataset_reader, data_path=file)
    loader.index_with(archive.model.vocab)
    if vectors is not None:
        os.environ.setdefault(VARIABLE, vectors)
        store_vectors(archive.model, [loader], folder)
    seen: list[Any] = []
    archive.model.register_forward_pre_hook(
        lambda model, _, batch: seen.extend(batch.get("metadata") or ()), with_kwargs=True
    )
    metrics = evaluate_model(archive.model, loader)
    counts, sentences = counts_by_place(archive.model, seen)
    content = {"identity": identity, "metrics": metrics, "sentences": sentences, "counts": counts}
    write_atomically(output, json.dumps(content) + "\n")


def counts_by_place(model: Any, sentences: Sequence[Any]) -> tuple[dict[str, Counts], str]:
    """
    The counts of each metric for every sentence in file order, and the fingerprint of that order.

    sentences : as the model saw them. A metric that counted only some of them is left out.
    """
    from ner_zoo.metrics.entity_f1 import EntityF1
    from ner_zoo.metrics.typing_accuracy import TypingAccuracy

    keys = [(getattr(one, "source", ""), tuple(getattr(one, "tokens", ()))) for one in sentences]
    order = sorted(range(len(keys)), key=lambda number: keys[number])
    metrics = [value for value in vars(model).values() if isinstance(value, EntityF1 | TypingAccuracy)]
    counts = {
        metric.main: [metric.sentence_counts[number] for number in order]
        for metric in metrics
        if len(metric.sentence_counts) == len(order)
    }
    return counts, digest([(Path(keys[number][0]).name, *keys[number][1]) for number in order])
