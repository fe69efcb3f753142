"""
Dynamic micro-batching: requests that arrive while the model is at work go through it together afterwards.

One thread runs the model, so that the event loop never blocks. The first input of a batch waits a bounded time for
others, a batch has a bounded size, and so has the queue. A request that was given up is not predicted any more.
"""

import asyncio
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Deque, List, Optional, Sequence

from ner_zoo.predictors.prediction import Options
from ner_zoo.service.limits import Limits, Refused

QUIET = 0.001
# Inputs and their options to their outputs, in order.
Predict = Callable[[Sequence[Any], Sequence[Options]], List[Any]]


@dataclass
class Job:
    """The inputs of one request, and where its outputs are awaited."""

    inputs: Sequence[Any]
    options: Options
    outputs: "asyncio.Future[List[Any]]"


class Batcher:
    """
    predict : runs in the thread.
    limits : of queue, batch, wait and time.
    observe : is told the size of each batch and of the queue behind it.
    """

    def __init__(self, predict: Predict, limits: Limits, observe: Callable[[int, int], None]) -> None:
        self.predict = predict
        self.limits = limits
        self.observe = observe
        self.waiting = 0
        self._is_busy = False
        self._jobs: Deque[Job] = deque()
        self._arrival = asyncio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._loop: Optional["asyncio.Task[None]"] = None

    async def submit(self, inputs: Sequence[Any], options: Options) -> List[Any]:
        """The outputs of the inputs; refuses with 429 if the queue is full, with 504 if it takes too long."""
        if self.waiting + len(inputs) > self.limits.max_queue:
            raise Refused(429, f"{self.waiting} inputs are waiting already. Come back later.", retry_after=1)
        if self._loop is None:
            self._loop = asyncio.get_running_loop().create_task(self._run())
        job = Job(inputs, options, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self.waiting += len(inputs)
        self._arrival.set()
        try:
            return await asyncio.wait_for(job.outputs, self.limits.timeout)
        except asyncio.TimeoutError:
            message = f"The model had no answer within {self.limits.timeout:g} seconds. Send less, or come back later."
            raise Refused(504, message, retry_after=1) from None

    async def close(self) -> None:
        """Return when everything that was accepted has been answered."""
        while self._jobs or self._is_busy:
            await asyncio.sleep(0.01)
        if self._loop is not None:
            self._loop.cancel()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            jobs = await self._collect()
            self._is_busy = True
            inputs = [given for job in jobs for given in job.inputs]
            options = [job.options for job in jobs for _ in job.inputs]
            self.observe(len(inputs), self.waiting)
            try:
                outputs = iter(await loop.run_in_executor(self._thread, self.predict, inputs, options))
                for job in jobs:
                    own = [next(outputs) for _ in job.inputs]
                    if not job.outputs.done():
                        job.outputs.set_result(own)
            except Exception as error:
                for job in jobs:
                    if not job.outputs.done():
                        job.outputs.set_exception(error)
            finally:
                self._is_busy = False

    async def _collect(self) -> List[Job]:
        """The next batch: whole jobs, together within the limit of inputs; those that were given up are left out."""
        loop = asyncio.get_running_loop()
        while not self._jobs:
            self._arrival.clear()
            await self._arrival.wait()
        deadline = loop.time() + self.limits.max_wait
        before = 0
        while before < self.waiting < self.limits.max_batch and loop.time() < deadline:
            # Where nobody has come for a while, nobody is waited for any longer.
            before = self.waiting
            await asyncio.sleep(min(QUIET, self.limits.max_wait))
        jobs: List[Job] = []
        size = 0
        while self._jobs and (not jobs or size + len(self._jobs[0].inputs) <= self.limits.max_batch):
            job = self._jobs.popleft()
            self.waiting -= len(job.inputs)
            if not job.outputs.done():
                jobs.append(job)
                size += len(job.inputs)
        return jobs
