"""
Sources of rows: a file of lines (JSON objects or plain text, optionally gzipped), or a Parquet file.

A source is streamed in chunks with a fixed number of rows, so that a file may be larger than memory and chunk `n`
contains the same rows in every run. A row is a line of bytes for `read_line`.
"""

import gzip
import itertools
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

from overrides import overrides

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.extras import require
from ner_zoo.predictors.document import INPUTS
from ner_zoo.predictors.line import BYTE_ORDER_MARK

GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"


class Chunk(NamedTuple):
    """
    number : index of the chunk.
    first : index of its first row in the source.
    rows : lines.
    share : share of the source that has been read at its end, from 0 to 1.
    """

    number: int
    first: int
    rows: list[bytes]
    share: float


@dataclass
class Source(ABC):
    """path : the file. rows_per_chunk : number of rows per chunk."""

    path: str
    rows_per_chunk: int

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """All rows, in order."""


class Lines(Source):
    """One row per line. Lines end at a line feed."""

    @overrides
    def chunks(self) -> Iterator[Chunk]:
        size = max(1, os.path.getsize(self.path))
        with open(self.path, "rb") as file:
            lines = self._lines(file)
            for number in itertools.count():
                rows = list(itertools.islice(lines, self.rows_per_chunk))
                if not rows:
                    return
                yield Chunk(number, number * self.rows_per_chunk, rows, file.tell() / size)

    def _lines(self, file: IO[bytes]) -> Iterator[bytes]:
        is_gzip = file.read(2) == GZIP
        file.seek(0)
        content: Any = gzip.GzipFile(fileobj=file) if is_gzip else file
        for number, line in enumerate(iter(content.readline, b"")):
            yield line.removeprefix(BYTE_ORDER_MARK) if number == 0 else line


@dataclass
class Table(Source):
    """
    One row per row of a Parquet file with a column `text`, `sentence` or `tokens`.

    with_fields : whether a row's line includes the other columns, as far as JSON allows.
    """

    with_fields: bool = True

    @overrides
    def chunks(self) -> Iterator[Chunk]:
        from pyarrow.parquet import ParquetFile

        with ParquetFile(self.path) as file:
            total = max(1, file.metadata.num_rows)
            columns = None if self.with_fields else [self._column(file.schema_arrow.names)]
            rows = self._rows(file, columns)
            for number in itertools.count():
                some = list(itertools.islice(rows, self.rows_per_chunk))
                if not some:
                    return
                first = number * self.rows_per_chunk
                yield Chunk(number, first, some, (first + len(some)) / total)

    def _rows(self, file: Any, columns: Any) -> Iterator[bytes]:
        for batch in file.iter_batches(batch_size=self.rows_per_chunk, columns=columns):
            for row in batch.to_pylist():
                yield _line(row)

    def _column(self, names: list[str]) -> str:
        column = next((name for name in INPUTS if name in names), None)
        if column is None:
            raise ConfigurationError(
                f"{self.path} has the columns {', '.join(names)}, but needs one of {', '.join(INPUTS)}. Rename the "
                f"column that contains the text."
            )
        return column


@dataclass
class JoinedSources(Source):
    """The rows of several files in sequence; a chunk never spans two files. `path` lists all of them."""

    sources: tuple[Source, ...] = ()

    @overrides
    def chunks(self) -> Iterator[Chunk]:
        number = first = 0
        for place, source in enumerate(self.sources):
            for chunk in source.chunks():
                yield Chunk(number, first, chunk.rows, (place + chunk.share) / len(self.sources))
                number, first = number + 1, first + len(chunk.rows)


def _line(row: dict[str, Any]) -> bytes:
    """A row as JSON; values that JSON does not support, such as dates, become strings."""
    return json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass") + b"\n"


def is_parquet(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == PARQUET


def source_of(path: str, rows_per_chunk: int, to_parquet: bool) -> Source:
    """The source at `path`, detected from the content. If a table is written as a table, its columns stay unchanged."""
    if not os.path.isfile(path):
        raise ConfigurationError(f"There is no file {path}. Pass a file of lines, plain or gzip, or Parquet.")
    if to_parquet or is_parquet(path):
        require("pyarrow", "Parquet", "bulk")
    if is_parquet(path):
        table = Table(path, rows_per_chunk, with_fields=not to_parquet)
        if not to_parquet:
            from pyarrow.parquet import read_schema

            table._column(read_schema(path).names)
        return table
    return Lines(path, rows_per_chunk)


@dataclass
class RemainingChunks:
    """
    The remaining chunks, followed by an empty chunk whose number is the total number of chunks. It can be sent to
    another process and read there.
    """

    source: Source
    done: frozenset[int]

    def __iter__(self) -> Iterator[Chunk]:
        count = first = 0
        for chunk in self.source.chunks():
            count, first = chunk.number + 1, chunk.first + len(chunk.rows)
            if chunk.number not in self.done:
                yield chunk
        yield Chunk(count, first, [], 1.0)
