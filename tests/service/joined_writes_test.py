import asyncio
from typing import Any

import pytest

from ner_zoo.service.joined_writes import JoinedWrites


class Recorder:
    """A transport that keeps what it is asked to do."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def write(self, data: bytes) -> None:
        self.calls.append(data)

    def write_eof(self) -> None:
        self.calls.append("end")

    def close(self) -> None:
        self.calls.append("close")

    def is_closing(self) -> bool:
        return "close" in self.calls


def test_writes_of_one_turn_are_sent_at_once() -> None:
    async def story() -> None:
        recorder: Any = Recorder()
        joined = JoinedWrites(recorder, asyncio.get_running_loop())
        joined.write(b"headers ")
        joined.write(b"body")
        assert recorder.calls == []
        await asyncio.sleep(0)
        joined.write(b"next")
        await asyncio.sleep(0)
        assert recorder.calls == [b"headers body", b"next"]

    asyncio.run(story())


@pytest.mark.parametrize("ending, call", [("close", "close"), ("write_eof", "end")])
def test_what_was_written_is_sent_before_the_end(ending: str, call: str) -> None:
    async def story() -> None:
        recorder: Any = Recorder()
        joined = JoinedWrites(recorder, asyncio.get_running_loop())
        joined.write(b"last words")
        getattr(joined, ending)()
        await asyncio.sleep(0)
        assert recorder.calls == [b"last words", call]
        assert joined.is_closing() == (ending == "close")

    asyncio.run(story())
