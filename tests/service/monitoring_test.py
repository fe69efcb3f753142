import contextlib
import io
import logging
import threading
from pathlib import Path

import pytest

from ner_zoo.service.monitoring import MOST_WAITING, BackgroundHandler


class Blocked(io.StringIO):
    """Blocks writers until it is released, like an unread pipe."""

    def __init__(self) -> None:
        super().__init__()
        self.release = threading.Event()

    def write(self, text: str) -> int:
        self.release.wait(30)
        return super().write(text)


def test_an_unread_log_neither_blocks_nor_grows_without_limit() -> None:
    stream = Blocked()
    handler = BackgroundHandler(stream)
    for number in range(MOST_WAITING + 5000):
        handler.emit(logging.LogRecord("a", logging.INFO, __file__, 1, str(number), (), None))
    assert handler._records.qsize() <= MOST_WAITING
    stream.release.set()
    handler.close()
    assert stream.getvalue().startswith("0\n1\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_costs_the_log_and_not_the_service() -> None:
    stream = open("/dev/full", "w")  # noqa: SIM115
    handler = BackgroundHandler(stream)
    for number in range(3):
        handler.emit(logging.LogRecord("a", logging.INFO, __file__, 1, "x" * 10_000, (), None))
        while handler._records.qsize():
            assert handler._thread.is_alive(), number
    assert handler._thread.is_alive()
    handler.close()
    with contextlib.suppress(OSError):
        stream.close()
