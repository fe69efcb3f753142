"""
Runs the annotation of a file, or the rest of one that was interrupted.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from ner_zoo.bulk import sinks
from ner_zoo.bulk.fingerprint import fingerprint
from ner_zoo.bulk.output_lock import output_lock
from ner_zoo.bulk.parts import Parts
from ner_zoo.bulk.progress import Progress
from ner_zoo.bulk.sources import Chunk, RemainingChunks, Source, Table, source_of
from ner_zoo.bulk.tool_sink import check_tool, model_name, write_for_tool
from ner_zoo.bulk.worker import Annotated, WorkerSettings
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.output_path import refuse_input_as_output

# Version of the parts: increased whenever their format changes, so that old ones are not continued.
VERSION = 2


class Engine(Protocol):
    """Executes the work, locally or on a cluster."""

    def run(self, chunks: Iterable[Chunk]) -> Iterator[Annotated]: ...


class BulkTask(Protocol):
    """archive : the model. output : the file to create. tool : the annotation tool it is for, or empty."""

    @property
    def archive(self) -> str: ...

    @property
    def output(self) -> str: ...

    @property
    def tool(self) -> str: ...

    def identity(self) -> dict[str, Any]:
        """Everything that determines the output."""


@dataclass(frozen=True)
class Task:
    """
    archive, input, output : files.
    rows_per_part : rows per part, the maximum loss per worker if the run is killed.
    predictor_args : options of the predictor.
    tool : annotation tool to write for (default: the format follows from the output's file extension).
    packages : packages to import in each worker before the archive is opened.
    light : whether the archive is an exported model.
    """

    archive: str
    input: str
    output: str
    rows_per_part: int = 1000
    cuda_device: int = -1
    predictor_args: dict[str, Any] = field(default_factory=dict)
    tool: str = ""
    packages: tuple[str, ...] = ()
    light: bool = False

    def __post_init__(self) -> None:
        if self.rows_per_part < 1:
            raise ConfigurationError(f"rows_per_part is {self.rows_per_part}. Set it to 1 or more.")
        if self.tool:
            check_tool(self.tool, self.output)
        else:
            sinks.check_ending(self.output)
        refuse_input_as_output(self.output, [self.input, self.archive])

    def worker_settings(self, threads: int = 1) -> WorkerSettings:
        model = fingerprint(self.archive) if os.path.exists(self.archive) else ""
        settings = WorkerSettings(self.archive, self.cuda_device, self.predictor_args, threads, model, self.packages)
        return replace(settings, light=self.light)

    def source(self) -> Source:
        return source_of(self.input, self.rows_per_part, to_parquet=self.output.endswith(".parquet"))

    def identity(self) -> dict[str, Any]:
        identity = {
            "input": fingerprint(self.input),
            "model": fingerprint(self.archive),
            "options": self.predictor_args,
            "rows_per_part": self.rows_per_part,
            "version": VERSION,
        }
        return json.loads(json.dumps({**identity, **({"tool": self.tool} if self.tool else {})}))


def annotate(task: Task, engine: Engine, progress: Progress, overwrite: bool = False) -> bool:
    """Creates the output, or the rest of it; false if it already existed."""
    source = task.source()

    def write(parts: Parts, count: int) -> Path:
        table = task.input if isinstance(source, Table) and task.output.endswith(".parquet") else None
        written = write_rows(task, lambda: parts.lines(count), table)
        progress.end()
        return written

    return make_output(task, source, engine, progress, overwrite, write)


def make_output(
    task: BulkTask,
    source: Source,
    engine: Engine,
    progress: Progress,
    overwrite: bool,
    write: Callable[[Parts, int], Path],
) -> bool:
    """
    Creates the missing parts and lets `write` make the output from all of them; false if it already existed. Refuses an
    output whose input or model changed in the meantime.
    """
    with output_lock(task.output):
        parts = Parts(task.output, task.identity())
        if overwrite:
            parts.discard()
        if parts.is_complete():
            parts.remove()
            return False
        started = time.time()
        try:
            written = write(parts, write_parts(source, engine, progress, parts))
        except BaseException:
            parts.remove_if_empty()
            raise
        if task.identity() != parts.identity:
            written.unlink()
            raise ConfigurationError(
                f"{source.path} or {task.archive} changed while it was in use, so the rows may be from both versions. "
                "Pass --overwrite to start over."
            )
        totals = {"rows": progress.rows, "words": progress.words, "errors": progress.errors}
        parts.finish(written, {"last_run": {**totals, "seconds": round(time.time() - started, 1)}})
    return True


def write_rows(task: BulkTask, lines: Callable[[], Iterator[bytes]], table: str | None = None) -> Path:
    """
    Writes rows to a new file next to the output, for an annotation tool if one is given.

    table : Parquet file whose columns are kept.
    """
    if task.tool:
        return write_for_tool(task.tool, task.output, lines(), model_name(task.archive))
    return sinks.write(task.output, lines, table)


def write_parts(source: Source, engine: Engine, progress: Progress, parts: Parts) -> int:
    """Writes the missing parts, all of which are checked; returns their total number."""
    done = parts.begin()
    progress.done_before = len(done) * source.rows_per_chunk
    end: Annotated | None = None
    for annotated in engine.run(RemainingChunks(source, frozenset(done))):
        if annotated.lines:
            parts.write(annotated.number, annotated.lines)
            progress.add(len(annotated.lines), annotated.words, annotated.errors, annotated.share)
        else:
            end = annotated
    if end is None:
        raise ConfigurationError(
            f"The workers stopped before the end of {source.path}. Run the same command again to do the rest."
        )
    parts.check(end.number, end.first)
    return end.number
