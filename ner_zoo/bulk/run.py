"""
One run from a file to an annotated file, or the rest of one that was interrupted.
"""

import hashlib
import json
import os
import time
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, Protocol

from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk import sinks
from ner_zoo.bulk.parts import Parts
from ner_zoo.bulk.progress import Progress
from ner_zoo.bulk.sources import Chunk, Remaining, Source, Table, source_of
from ner_zoo.bulk.worker import Annotated, Recipe


class Engine(Protocol):
    """Who does the work, and where."""

    def run(self, chunks: Iterable[Chunk]) -> Iterator[Annotated]: ...


@dataclass(frozen=True)
class Task:
    """
    archive, input, output : files.
    rows_per_part : how much is lost at most, for each worker, if the run is killed.
    predictor_args : what of the predictions is wanted, and how they are made.
    """

    archive: str
    input: str
    output: str
    rows_per_part: int = 1000
    cuda_device: int = -1
    predictor_args: Dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.rows_per_part < 1:
            raise ConfigurationError(f"rows_per_part is {self.rows_per_part}. Give 1 or more.")
        sinks.check_ending(self.output)

    def recipe(self, threads: int = 1) -> Recipe:
        return Recipe(self.archive, self.cuda_device, self.predictor_args, threads)

    def source(self) -> Source:
        return source_of(self.input, self.rows_per_part, to_parquet=self.output.endswith(".parquet"))

    def identity(self) -> Dict[str, Any]:
        """All that decides what the output is."""
        seen = os.stat(self.input)
        identity = {
            "input": os.path.abspath(self.input),
            "bytes": seen.st_size,
            "modified": seen.st_mtime_ns,
            "model": _digest(self.archive),
            "rows_per_part": self.rows_per_part,
            "predictor_args": self.predictor_args,
        }
        return json.loads(json.dumps(identity))


def annotate(task: Task, engine: Engine, progress: Progress, overwrite: bool = False) -> bool:
    """Make the output, or the rest of it; false if it was there already."""
    source = task.source()
    parts = Parts(task.output, task.identity())
    if overwrite:
        parts.discard()
    if parts.is_complete():
        parts.remove()
        return False
    started = time.time()
    done = parts.begin()
    progress.done_before = len(done) * task.rows_per_part
    count = 0
    for annotated in engine.run(Remaining(source, frozenset(done))):
        if annotated.lines:
            parts.write(annotated.number, annotated.lines)
            progress.add(len(annotated.lines), annotated.words, annotated.errors, annotated.share)
        else:
            count = annotated.number
    table = task.input if isinstance(source, Table) and task.output.endswith(".parquet") else None
    written = sinks.write(task.output, lambda: parts.lines(count), table)
    progress.end()
    totals = {"rows": progress.rows, "words": progress.words, "errors": progress.errors}
    parts.finish(written, {"last_run": {**totals, "seconds": round(time.time() - started, 1)}})
    return True


def _digest(archive: str) -> str:
    """Of an archive's content, or of the name of a folder or address."""
    if not os.path.isfile(archive):
        return archive
    digest = hashlib.sha256()
    with open(archive, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
