"""
Suggests what to annotate next: one run over unlabelled texts, or the rest of one that was interrupted.

    rows -> workers -> short records on disk (parts) -> bounded heaps -> selected rows, read again and pre-annotated

The first half, which takes the time, works like `annotate`: the same engines, and the same parts to resume from.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.fingerprint import fingerprint
from ner_zoo.bulk.local_engine import LocalEngine
from ner_zoo.bulk.parts import Parts
from ner_zoo.bulk.progress import Progress
from ner_zoo.bulk.ray_engine import RayEngine
from ner_zoo.bulk.run import make_output, write_rows
from ner_zoo.bulk.sources import JoinedSources, source_of
from ner_zoo.bulk.tool_sink import check_tool
from ner_zoo.bulk.worker import WorkerSettings
from ner_zoo.data.near_duplicates import groups_of_near_duplicates
from ner_zoo.platform.output_path import refuse_input_as_output
from ner_zoo.predictors.line import Line, read_line, with_fields, write_line
from ner_zoo.workbench.scoring_worker import ScoringWorker, words_of
from ner_zoo.workbench.selection import Candidate, Chosen, Pool, SelectionOptions
from ner_zoo.workbench.uncertainty import MEASURES, Measure, Numbers

# Version of the records: increased whenever their format changes, so that old ones are not continued.
VERSION = 1
ENDINGS = (".jsonl", ".jsonl.gz", ".json", ".json.gz")


@dataclass(frozen=True)
class SuggestTask:
    """
    archive : the model.
    inputs : files of unlabelled texts.
    output : the file to write.
    selection : how many rows to select, and how.
    by : the measure, one of `MEASURES`.
    per_token : divide the measure by the number of tokens, for when annotation time grows with the text.
    rows_per_part : rows per part, the maximum loss per worker if the run is killed.
    tool : annotation tool to write for (default: JSON lines, as written by `annotate`).
    packages : packages to import in each worker before the archive is opened.
    """

    archive: str
    inputs: Sequence[str]
    output: str
    selection: SelectionOptions
    by: str = "least_confidence"
    per_token: bool = False
    rows_per_part: int = 1000
    cuda_device: int = -1
    predictor_args: dict[str, Any] = field(default_factory=dict)
    tool: str = ""
    packages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by not in MEASURES:
            raise ConfigurationError(f"There is no measure {self.by!r}. Use one of {', '.join(MEASURES)}.")
        if self.rows_per_part < 1:
            raise ConfigurationError(f"--rows-per-part is {self.rows_per_part}. Pass 1 or more.")
        if self.tool:
            check_tool(self.tool, self.output)
        elif not self.output.endswith(ENDINGS):
            raise ConfigurationError(f"--output is {self.output}. Pass a name that ends in {' or '.join(ENDINGS)}.")
        refuse_input_as_output(self.output, [*self.inputs, self.archive])

    def worker_settings(self, threads: int = 1) -> WorkerSettings:
        model = fingerprint(self.archive)
        return WorkerSettings(self.archive, self.cuda_device, self.predictor_args, threads, model, self.packages)

    def make_worker(self) -> Callable[[WorkerSettings], ScoringWorker]:
        return partial(ScoringWorker, by=self.by)

    def source(self) -> JoinedSources:
        each = tuple(source_of(path, self.rows_per_part, to_parquet=False) for path in self.inputs)
        return JoinedSources(", ".join(self.inputs), self.rows_per_part, each)

    def identity(self) -> dict[str, Any]:
        identity = {
            "input": [fingerprint(path) for path in self.inputs],
            "model": fingerprint(self.archive),
            "measure": self.by,
            "per_token": self.per_token,
            "selection": asdict(self.selection),
            "options": self.predictor_args,
            "rows_per_part": self.rows_per_part,
            "tool": self.tool,
            "version": VERSION,
        }
        return json.loads(json.dumps(identity))


def suggest(task: SuggestTask, engine: LocalEngine | RayEngine, progress: Progress, overwrite: bool = False) -> int:
    """Writes the suggestions; returns their number, or 0 if the output already existed."""
    source = task.source()
    chosen: list[bytes] = []

    def write(parts: Parts, count: int) -> Path:
        progress.end()
        rows = progress.rows + progress.done_before
        progress.note(f"Selecting up to {task.selection.count:,} of {rows:,} row{'' if rows == 1 else 's'}")
        chosen.extend(_chosen(task, source, parts, count, progress))
        return write_rows(task, lambda: iter(chosen))

    make_output(task, source, engine, progress, overwrite, write)
    return len(chosen)


def _chosen(task: SuggestTask, source: JoinedSources, parts: Parts, count: int, progress: Progress) -> list[bytes]:
    """The selected rows as lines, with the model's predictions and the reason for the selection."""
    from ner_zoo.predictors.loading import open_predictor

    pool = pooled(task, source, lambda: (json.loads(line) for line in parts.lines(count)), progress.note)
    rows = dict(_rows(source, frozenset(pool.rows())))
    if not rows:
        # Another run would find nothing either, so there is nothing to resume.
        parts.remove()
        raise ConfigurationError(f"{source.path} has no readable row with words, so nothing can be suggested.")
    predictor = open_predictor(task.archive, task.cuda_device, task.predictor_args)
    words = [words_of(predictor.document(row.line)) for row in rows.values()]
    chosen = pool.choose(dict(zip(rows, groups_of_near_duplicates(words))))
    outputs = predictor.predict_all([rows[one.candidate.row].line for one in chosen])
    return [
        write_line({**with_fields(rows[one.candidate.row].line, output), **_reason(task, rank, one, rows)}).encode()
        for rank, (one, output) in enumerate(zip(chosen, outputs), 1)
    ]


def pooled(
    task: SuggestTask,
    source: JoinedSources,
    records: Callable[[], Iterator[dict[str, Any]]],
    note: Callable[[str], None],
) -> Pool:
    """The candidates, from two passes over all records: one for the totals, one to select. `note` reports problems."""
    measure: Measure = MEASURES[task.by]()
    totals: Numbers = ()
    unusable, first = 0, ""
    for row, record in enumerate(records()):
        if "numbers" in record:
            totals = tuple(map(sum, zip(totals, record["numbers"]))) if totals else tuple(record["numbers"])
        elif "error" in record:
            unusable += 1
            first = first or f"{_place(source, row)}: {record['error']}"
    if unusable:
        one = f"1 row cannot be used and is left out: {first}"
        note(one if unusable == 1 else f"{unusable:,} rows cannot be used and are left out. The first is {first}")
    pool = Pool(task.selection)
    for row, record in enumerate(records()):
        if "numbers" in record:
            value = measure.value(tuple(record["numbers"]), totals) / (record["tokens"] if task.per_token else 1)
            pool.add(Candidate(value, row, record["type"], record["key"]))
    return pool


@dataclass(frozen=True)
class Row:
    """A row of the input: its content, its file, and its line number there (from 1)."""

    line: Line
    file: str
    number: int


def _rows(source: JoinedSources, wanted: frozenset[int]) -> Iterator[tuple[int, Row]]:
    first = 0
    for one in source.sources:
        read = 0
        for chunk in one.chunks():
            for place, raw in enumerate(chunk.rows, chunk.first):
                if first + place in wanted:
                    yield first + place, Row(read_line(raw, place + 1), one.path, place + 1)
            read = chunk.first + len(chunk.rows)
        first += read


def _place(source: JoinedSources, row: int) -> str:
    """File and line of a row."""
    _, found = next(_rows(source, frozenset((row,))))
    return f"{found.file}:{found.number}"


def _reason(task: SuggestTask, rank: int, chosen: Chosen, rows: Mapping[int, Row]) -> dict[str, Any]:
    row = rows[chosen.candidate.row]
    return {
        "suggestion_rank": rank,
        "suggested_by": "random" if chosen.is_random else task.by,
        "suggestion_score": round(chosen.candidate.score, 6),
        "suggestion_type": chosen.candidate.type,
        "file": os.path.basename(row.file),
        "file_line": row.number,
    }
