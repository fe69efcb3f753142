"""
Dynamic micro-batching: requests that arrive while the model is busy are batched.

One thread runs the model, so the event loop never blocks. Short work waits a bounded time for more short work and is
batched. Long work (a long text, many inputs, a page to render) is processed in steps: one step of one request with each
batch, in turns, so that no request waits for more than one step of another's long work. The queue is bounded in inputs
and in characters. Cancelled requests are dropped.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.work import Work

QUIET = 0.001
# How much short work is batched per turn of long work.
TURNS_PER_BATCH = 8


@dataclass
class Job:
    """The work of one request, and the future of its result."""

    work: Work
    result: "asyncio.Future[Any]"


class Batcher:
    """
    advance : takes one step of each work; runs in the thread.
    limits : limits of queue, batch, wait and time.
    observe : called with the size of each batch and of the remaining queue.
    connections : the number of open connections: a batch does not wait if every one of them has a request in it.
    """

    def __init__(
        self,
        advance: Callable[[Sequence[Work]], None],
        limits: Limits,
        observe: Callable[[int, int], None],
        connections: Callable[[], float],
    ) -> None:
        self.advance = advance
        self.limits = limits
        self.observe = observe
        self.connections = connections
        self.waiting = 0
        self.characters = 0
        self._is_busy = False
        self._short: deque[Job] = deque()
        self._long: deque[Job] = deque()
        self._arrival = asyncio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._loop: asyncio.Task[None] | None = None

    async def submit(self, work: Work) -> Any:
        """The result of the work; refuses with 429 if the queue is full, with 504 on a timeout."""
        if self.waiting + work.inputs > self.limits.max_queue:
            raise Refused(429, f"{self.waiting} inputs are already queued. Retry later.", retry_after=1)
        if self.characters + work.characters > self.limits.max_queue_characters:
            raise Refused(429, f"{self.characters} characters are already queued. Retry later.", retry_after=1)
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop.create_task(self._run())
        job = Job(work, loop.create_future())
        self.characters += work.characters
        self._append(job)
        self._arrival.set()
        try:
            return await asyncio.wait_for(job.result, self.limits.timeout)
        except TimeoutError:
            seconds = self.limits.timeout
            message = f"The model did not answer within {seconds:g} seconds. Send less text, or retry later."
            raise Refused(504, message, retry_after=1) from None

    async def close(self) -> None:
        """Returns when everything that was accepted has been answered."""
        while self._short or self._long or self._is_busy:
            await asyncio.sleep(0.01)
        if self._loop is not None:
            self._loop.cancel()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            jobs = await self._collect()
            if not jobs:
                continue
            self._is_busy = True
            works = [job.work for job in jobs]
            self.observe(sum(work.inputs for work in works), self.waiting)
            try:
                await loop.run_in_executor(self._thread, self.advance, works)
            except Exception as error:
                for work in works:
                    work.is_done, work.error = True, error
            for job in jobs:
                self._settle(job)
            self._is_busy = False

    def _settle(self, job: Job) -> None:
        """Delivers the result; unfinished work goes to the end of the queue of long work."""
        if not job.work.is_done:
            job.work.is_short = False
            self._append(job)
            return
        self.characters -= job.work.characters
        if not job.result.done():
            if job.work.error is not None:
                job.result.set_exception(job.work.error)
            else:
                job.result.set_result(job.work.result)

    def _append(self, job: Job) -> None:
        (self._short if job.work.is_short else self._long).append(job)
        self.waiting += job.work.inputs

    async def _collect(self) -> list[Job]:
        """The next batch: short work within the limits, and the next step of the oldest long work."""
        while not (self._short or self._long):
            self._arrival.clear()
            await self._arrival.wait()
        await self._wait_for_more()
        jobs: list[Job] = []
        room = self.limits.max_batch
        characters = TURNS_PER_BATCH * self.limits.turn_characters
        while self._short:
            work = self._short[0].work
            if jobs and (work.inputs > room or work.characters > characters):
                break
            room -= work.inputs
            characters -= work.characters
            self._take(self._short, jobs)
        while self._long:
            if self._take(self._long, jobs):
                break
        return jobs

    def _take(self, queue: deque[Job], jobs: list[Job]) -> bool:
        """Moves the first job of the queue to the batch, unless it was cancelled."""
        job = queue.popleft()
        self.waiting -= job.work.inputs
        if job.result.done():
            self.characters -= job.work.characters
            return False
        jobs.append(job)
        return True

    async def _wait_for_more(self) -> None:
        """Waits briefly for more short work to join the batch; long work never waits."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.limits.max_wait
        before = 0
        while not self._long and before < self.waiting < self.limits.max_batch and loop.time() < deadline:
            if len(self._short) >= self.connections():
                return
            # If nothing has arrived for a while, stop waiting.
            before = self.waiting
            await asyncio.sleep(min(QUIET, self.limits.max_wait))
