import asyncio
import threading
from typing import Any, List

import pytest

from ner_zoo.predictors.prediction import Options
from ner_zoo.service.batcher import Batcher
from ner_zoo.service.limits import Limits, Refused


class Model:
    """Answers each number with its double; holds every batch until it is released."""

    def __init__(self) -> None:
        self.batches: List[List[int]] = []
        self.release = threading.Event()
        self.release.set()

    def __call__(self, inputs, options) -> List[Any]:
        self.release.wait(10)
        self.batches.append(list(inputs))
        if -1 in inputs:
            raise RuntimeError("no")
        return [2 * number for number in inputs]


def batcher(model: Model, limits: Limits) -> Batcher:
    return Batcher(model, limits, lambda batch, queue: None)


def test_requests_that_arrive_together_go_through_the_model_together() -> None:
    async def story() -> None:
        model = Model()
        some = batcher(model, Limits(max_batch=4, max_wait=0.2))
        answers = await asyncio.gather(*(some.submit([n, n + 100], Options()) for n in range(6)))
        assert answers == [[2 * n, 2 * (n + 100)] for n in range(6)]
        assert [len(batch) for batch in model.batches] == [4, 4, 4]
        await some.close()

    asyncio.run(story())


def test_a_full_queue_refuses_at_once_and_recovers() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(max_inputs=2, max_queue=2, max_batch=1, max_wait=0))
        waiting = [asyncio.create_task(some.submit([0], Options()))]
        while not some._is_busy:  # until the model has it
            await asyncio.sleep(0.01)
        waiting += [asyncio.create_task(some.submit([n], Options())) for n in (1, 2)]
        await asyncio.sleep(0.02)
        with pytest.raises(Refused) as refused:
            await some.submit([9], Options())
        assert refused.value.status == 429 and refused.value.retry_after > 0
        model.release.set()
        assert await asyncio.gather(*waiting) == [[0], [2], [4]]
        assert await some.submit([9], Options()) == [18]
        await some.close()

    asyncio.run(story())


def test_an_answer_that_takes_too_long_is_given_up_and_not_worked_on_any_more() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(timeout=0.1, max_batch=1, max_wait=0))
        first, second = (asyncio.create_task(some.submit([n], Options())) for n in (1, 2))
        results = await asyncio.gather(first, second, return_exceptions=True)
        assert [result.status for result in results] == [504, 504]  # type: ignore[union-attr]
        model.release.set()
        assert await some.submit([3], Options()) == [6]
        await some.close()
        assert [2] not in model.batches

    asyncio.run(story())


def test_a_failure_reaches_those_who_wait_and_the_next_batch_is_served() -> None:
    async def story() -> None:
        some = batcher(Model(), Limits(max_wait=0))
        with pytest.raises(RuntimeError):
            await some.submit([-1], Options())
        assert await some.submit([4], Options()) == [8]
        await some.close()

    asyncio.run(story())


def test_closing_answers_what_was_accepted() -> None:
    async def story() -> None:
        model = Model()
        model.release.clear()
        some = batcher(model, Limits(max_batch=1, max_wait=0))
        waiting = [asyncio.create_task(some.submit([n], Options())) for n in range(5)]
        await asyncio.sleep(0.02)
        closing = asyncio.create_task(some.close())
        model.release.set()
        await closing
        assert [task.result() for task in waiting] == [[0], [2], [4], [6], [8]]

    asyncio.run(story())
