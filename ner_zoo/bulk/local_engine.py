"""
Workers as local processes.

The number of chunks in progress is bounded, so memory does not grow with the input. If a worker dies (out of memory, a
crash in compiled code), nothing is lost: the chunks in progress are retried in smaller and smaller pieces until the row
that kills workers is found; it becomes an error record. Workers exit when their parent does, however it ends.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Annotated, Worker, WorkerSettings, broken, joined, nothing
from ner_zoo.platform.screen import show_warnings_only

AHEAD = 2
REASON = "A worker died on this row: it is too large for the memory, or crashes the model."

MakeWorker = Callable[[WorkerSettings], Callable[[Chunk], Annotated]]
_worker: Callable[[Chunk], Annotated] | None = None
_failure: Exception | None = None


class LocalEngine:
    """
    settings : how to create the workers.
    workers : number of workers; 0 to run in this process, where a crash is not handled.
    make_worker : creates a worker from its settings.
    """

    def __init__(self, settings: WorkerSettings, workers: int, make_worker: MakeWorker = Worker) -> None:
        self.settings = settings
        self.workers = workers
        self.make_worker = make_worker
        self._pool: ProcessPoolExecutor | None = None

    def run(self, chunks: Iterable[Chunk]) -> Iterator[Annotated]:
        """Yields every chunk annotated, in completion order."""
        under_way: dict[Future[Annotated], Chunk] = {}
        worker = self.make_worker(self.settings) if self.workers == 0 else None
        try:
            for chunk in chunks:
                if not chunk.rows:
                    yield nothing(chunk)
                    continue
                if worker is not None:
                    yield worker(chunk)
                    continue
                under_way[self._submit(chunk)] = chunk
                if len(under_way) >= AHEAD * self.workers:
                    yield from self._collect(under_way)
            while under_way:
                yield from self._collect(under_way)
        finally:
            self.close()

    def _collect(self, under_way: dict["Future[Annotated]", Chunk]) -> Iterator[Annotated]:
        """The finished chunks of those in progress; after a crash, all of them."""
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        failed: list[Chunk] = []
        for future in done:
            chunk = under_way.pop(future)
            try:
                yield future.result()
            except BrokenProcessPool:
                failed.append(chunk)
        if failed:
            failed += under_way.values()
            under_way.clear()
            self.close()
            for chunk in sorted(failed):
                yield self.retry_in_halves(chunk)

    def retry_in_halves(self, chunk: Chunk) -> Annotated:
        """Retries one chunk, in halves if a worker dies on it."""
        try:
            return self._submit(chunk).result()
        except BrokenProcessPool:
            self.close()
        if len(chunk.rows) == 1:
            return broken(chunk, REASON)
        half = len(chunk.rows) // 2
        first = chunk._replace(rows=chunk.rows[:half])
        second = chunk._replace(rows=chunk.rows[half:], first=chunk.first + half)
        return joined(self.retry_in_halves(first), self.retry_in_halves(second))

    def _submit(self, chunk: Chunk) -> "Future[Annotated]":
        if self._pool is None:
            # Spawned, not forked: a forked copy of a process with threads, which torch starts, may hang.
            self._pool = ProcessPoolExecutor(
                self.workers,
                multiprocessing.get_context("spawn"),
                initializer=_start,
                initargs=(self.settings, self.make_worker),
            )
        return self._pool.submit(_work, chunk)

    def close(self) -> None:
        """Stops the workers, if any."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _start(settings: WorkerSettings, make_worker: MakeWorker) -> None:
    """Runs first in every worker."""
    global _worker, _failure
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # A spawned process imports the parent's script again: AllenNLP's turns on the log.
    show_warnings_only()
    try:
        _worker = make_worker(settings)
    except Exception as error:
        # Raised here, it would look as if the worker had died on a row.
        _failure = error


def _end_with_parent() -> None:
    # A parent that was killed cannot stop its workers, and they would wait for it forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(chunk: Chunk) -> Annotated:
    if _failure is not None:
        raise _failure
    assert _worker is not None
    return _worker(chunk)
