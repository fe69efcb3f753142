import asyncio
import threading
from collections.abc import Sequence
from math import inf
from typing import Any

import pytest

from ner_zoo.service.batcher import Batcher
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.work import Steps, Work


class Doubling(Work):
    """Doubles its numbers, one step each; refuses to double -1."""

    def __init__(self, numbers: Sequence[int], is_short: bool = True, characters: int = 1) -> None:
        super().__init__(len(numbers), characters, is_short)
        self.numbers = numbers

    def steps(self) -> Steps:
        if self.is_short:
            yield []
        else:
            for _ in self.numbers:
                yield []
        if -1 in self.numbers:
            raise RuntimeError("no")
        return [2 * number for number in self.numbers]


class Model:
    """Takes a step of each work, and records the numbers of each batch; holds it until it is released."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.release = threading.Event()
        self.release.set()

    def __call__(self, works: Sequence[Any]) -> None:
        self.release.wait(10)
        self.batches.append([number for work in works for number in work.numbers])
        for work in works:
            work.begin()
        for work in works:
            work.advance()


def batcher(model: Model, limits: Limits, connections: float = inf) -> Batcher:
    return Batcher(model, limits, lambda batch, queue: None, lambda: connections)


async def until_busy(some: Batcher) -> None:
    while not some._is_busy:
        await asyncio.sleep(0.01)


def test_requests_that_arrive_together_go_through_the_model_together() -> None:
    async def story() -> None:
        model = Model()
        some = batcher(model, Limits(max_batch=4, max_wait=0.2))
        answers = await asyncio.gather(*(some.submit(Doubling([n, n + 100])) for n in range(6)))
        assert answers == [[2 * n, 2 * (n + 100)] for n in range(6)]
        assert [len(batch) for batch in model.batches] == [4, 4, 4]
        await some.close()

    asyncio.run(story())


def test_short_work_does_not_wait_for_long_work_that_came_before_it() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(max_wait=0))
        first, second = (asyncio.create_task(some.submit(Doubling([n] * 20, is_short=False))) for n in (1, 2))
        await until_busy(some)
        short = asyncio.create_task(some.submit(Doubling([3])))
        await asyncio.sleep(0.02)
        model.release.set()
        assert await short == [6]
        assert not first.done() and not second.done()
        assert await first == [2] * 20 and await second == [4] * 20
        # Long work takes turns: neither waits until the other is done.
        turns = [batch[-1] for batch in model.batches]
        assert turns[:6] == [1, 2, 1, 2, 1, 2] and turns.count(1) == turns.count(2) == 20
        assert some.waiting == some.characters == 0
        await some.close()

    asyncio.run(story())


def test_a_full_queue_refuses_at_once_and_recovers() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(max_inputs=2, max_queue=2, max_batch=1, max_wait=0))
        waiting = [asyncio.create_task(some.submit(Doubling([0])))]
        await until_busy(some)
        waiting += [asyncio.create_task(some.submit(Doubling([n]))) for n in (1, 2)]
        await asyncio.sleep(0.02)
        with pytest.raises(Refused) as refused:
            await some.submit(Doubling([9]))
        assert refused.value.status == 429 and refused.value.retry_after > 0
        model.release.set()
        assert await asyncio.gather(*waiting) == [[0], [2], [4]]
        assert await some.submit(Doubling([9])) == [18]
        await some.close()

    asyncio.run(story())


def test_a_queue_is_full_of_characters_as_well_as_of_inputs() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        limits = Limits(max_text_characters=50, max_request_characters=50, max_queue_characters=100, max_wait=0)
        some = batcher(model, limits)
        waiting = [asyncio.create_task(some.submit(Doubling([n], is_short=False, characters=50))) for n in (1, 2)]
        await until_busy(some)
        with pytest.raises(Refused, match="100 characters") as refused:
            await some.submit(Doubling([3], characters=1))
        assert refused.value.status == 429 and refused.value.retry_after > 0
        model.release.set()
        assert await asyncio.gather(*waiting) == [[2], [4]]
        assert await some.submit(Doubling([3], characters=50)) == [6]
        await some.close()

    asyncio.run(story())


def test_an_answer_that_takes_too_long_is_cancelled_and_not_processed_further() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(timeout=0.1, max_batch=1, max_wait=0))
        first, second = (asyncio.create_task(some.submit(Doubling([n]))) for n in (1, 2))
        results = await asyncio.gather(first, second, return_exceptions=True)
        assert [result.status for result in results] == [504, 504]  # type: ignore[union-attr]
        model.release.set()
        assert await some.submit(Doubling([3])) == [6]
        await some.close()
        assert [2] not in model.batches and some.characters == 0

    asyncio.run(story())


def test_a_failure_reaches_the_waiting_requests_and_the_next_batch_is_served() -> None:
    async def story() -> None:
        some = batcher(Model(), Limits(max_wait=0))
        with pytest.raises(RuntimeError):
            await some.submit(Doubling([-1]))
        assert await some.submit(Doubling([4])) == [8]
        await some.close()

    asyncio.run(story())


def test_closing_answers_what_was_accepted() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(max_batch=1, max_wait=0))
        waiting = [asyncio.create_task(some.submit(Doubling([n]))) for n in range(5)]
        await asyncio.sleep(0.02)
        closing = asyncio.create_task(some.close())
        model.release.set()
        await closing
        assert [task.result() for task in waiting] == [[0], [2], [4], [6], [8]]

    asyncio.run(story())


@pytest.mark.parametrize("connections, is_at_once", [(2, True), (3, False)])
def test_a_batch_with_a_request_of_every_connection_does_not_wait_for_more(connections: int, is_at_once: bool) -> None:
    async def story() -> None:
        some = batcher(Model(), Limits(max_wait=60), connections)
        slept = []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            await real_sleep(0)

        real_sleep, asyncio.sleep = asyncio.sleep, sleep  # type: ignore[assignment]
        try:
            await asyncio.gather(some.submit(Doubling([1])), some.submit(Doubling([2])))
        finally:
            asyncio.sleep = real_sleep
        assert (not slept) == is_at_once
        await some.close()

    asyncio.run(story())
