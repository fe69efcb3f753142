"""
Workers as actors of a Ray cluster: a Ray Data pipeline from a stream of chunks through a pool of models.

    read (on this machine) -> map_batches (actors, anywhere) -> back here

Only this machine needs the files: chunks and the archive are sent through Ray. Ray throttles reading while the actors
are busy, so that neither this machine nor the cluster has to hold the whole input. In each actor a separate process
runs the model, so that a row that kills it costs only that row.
"""

import pickle
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ner_zoo.bulk.local_engine import LocalEngine, MakeWorker
from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Annotated, Worker, WorkerSettings, nothing
from ner_zoo.platform.ray_cluster import start_ray

COLUMN = "pickled"


class RayEngine:
    """
    settings : how to create the workers.
    workers : number of actors.
    address : address of a running cluster; by default one is started on this machine and stopped again.
    make_worker : creates a worker from its settings.
    """

    def __init__(
        self, settings: WorkerSettings, workers: int, address: str | None = None, make_worker: MakeWorker = Worker
    ) -> None:
        self.settings = settings
        self.workers = max(1, workers)
        self.address = address
        self.make_worker = make_worker

    def run(self, chunks: Iterable[Chunk]) -> Iterator[Annotated]:
        """Yields every chunk annotated, in completion order."""
        ray = self._start()
        try:
            archive = Path(self.settings.archive)
            content = ray.put(archive.read_bytes()) if archive.is_file() else None
            gpus = {"num_gpus": 1} if self.settings.cuda_device >= 0 else {}
            dataset = ray.data.read_datasource(_source(chunks), override_num_blocks=1, num_cpus=0)
            annotated = dataset.map_batches(
                Actor,
                fn_constructor_args=[self.settings, content, self.make_worker],
                batch_size=1,
                batch_format="numpy",
                compute=ray.data.ActorPoolStrategy(size=self.workers),
                num_cpus=1,
                **gpus,
            )
            for row in annotated.iter_rows():
                yield pickle.loads(row[COLUMN])
        finally:
            ray.shutdown()

    def _start(self) -> Any:
        start_ray(self.workers, self.address)
        import ray.data

        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        # Every chunk is a separate block, for whichever actor is free.
        context.target_max_block_size = 1
        context.target_min_block_size = 1
        return ray


class Actor:
    """One model. Each call receives one chunk and returns it annotated, both pickled into a column."""

    def __init__(self, settings: WorkerSettings, archive: Any, make_worker: MakeWorker) -> None:
        import ray

        if archive is not None:
            # Ray deletes the actor at the end, and the folder with it.
            self.folder = tempfile.TemporaryDirectory(prefix="ner_zoo-")
            path = Path(self.folder.name) / Path(settings.archive).name
            path.write_bytes(ray.get(archive))
            settings = replace(settings, archive=str(path))
        if settings.cuda_device >= 0:
            # Ray shows each actor its own GPU as the first one.
            settings = replace(settings, cuda_device=0)
        self.engine = LocalEngine(settings, 1, make_worker)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[bytes]]:
        outputs = []
        for content in batch[COLUMN]:
            chunk: Chunk = pickle.loads(content)
            outputs.append(pickle.dumps(self.engine.retry_in_halves(chunk) if chunk.rows else nothing(chunk)))
        return {COLUMN: outputs}


def _source(chunks: Iterable[Chunk]) -> Any:
    """The chunks as a source for Ray Data, streamed by one task."""
    import pyarrow
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata

    def read() -> Iterator[Any]:
        for chunk in chunks:
            yield pyarrow.table({COLUMN: pyarrow.array([pickle.dumps(chunk)], pyarrow.binary())})

    class Chunks(Datasource):
        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(
            self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
        ) -> list[ReadTask]:
            metadata = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
            return [ReadTask(read, metadata)]

        @property
        def supports_distributed_reads(self) -> bool:
            # The input is on this machine.
            return False

    return Chunks()
