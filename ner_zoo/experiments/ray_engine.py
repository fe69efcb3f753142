"""
Trains runs as tasks of a Ray cluster. Configs, data and the folder of the comparison must have the same path on every
machine; each task needs as many cores as a run has threads.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overrides import overrides

from ner_zoo.experiments import record
from ner_zoo.experiments.plan import Run
from ner_zoo.experiments.process import Usage, WorkerProcess
from ner_zoo.experiments.schedule import Engine, Handle, Training, train
from ner_zoo.platform.ray_cluster import start_ray


class RayEngine(Engine):
    """
    jobs, threads : see `Engine`.
    address : of a running cluster; by default one is started on this machine and stopped at the end.

    Ray is started by `open`: if there is nothing to train, not at all.
    """

    def __init__(self, jobs: int, address: str | None = None, threads: int = 1) -> None:
        super().__init__(jobs, threads)
        self.address = address
        self._ray: Any = None

    @overrides
    def open(self) -> None:
        if self._ray is None:
            self._ray = start_ray(self.slots * self.threads, self.address)

    @overrides
    def start(self, run: Run, training: Training) -> Handle:
        # No retry on failure: the comparison reports it, and the next one tries again.
        task = self._ray.remote(num_cpus=self.threads, max_retries=0)(train_in_worker)
        working_folder = str(Path.cwd())
        return RayHandle(self._ray, task.remote(working_folder, training, str(run.beside(record.LOG)), self.threads))

    @overrides
    def close(self) -> None:
        if self._ray is not None:
            self._ray.shutdown()


@dataclass
class RayHandle:
    """A task that is running or waiting for room in the cluster."""

    ray: Any
    reference: Any

    def ended(self) -> tuple[int, Usage] | None:
        done, _ = self.ray.wait([self.reference], timeout=0)
        return self._result() if done else None

    def stop(self) -> tuple[int, Usage]:
        self.ray.cancel(self.reference, force=True)
        return self._result()

    def _result(self) -> tuple[int, Usage]:
        try:
            return self.ray.get(self.reference)
        except self.ray.exceptions.RayError:  # its machine is gone, or the task was cancelled
            return 1, Usage(0.0, 0.0, 0.0)


def train_in_worker(working_folder: str, training: Training, log: str, threads: int) -> tuple[int, Usage]:
    """In a Ray worker: runs in a separate process, so that a crash becomes an exit status."""
    import time

    os.chdir(working_folder)
    process = WorkerProcess(train, (training,), Path(log), threads)
    process.start()
    while (ended := process.ended()) is None:
        time.sleep(0.5)
    return ended
