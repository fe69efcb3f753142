"""
Rate-limits log messages that clients can trigger: only the first few identical warnings and errors in an interval are
written. The next one says how many were dropped.
"""

import logging
import time
from collections.abc import Callable

from overrides import overrides

SECONDS = 10.0
MOST = 5
MOST_KINDS = 1000


class RepeatLimit(logging.Filter):
    """
    At most `MOST` records of one kind in `SECONDS` seconds. Records below WARNING, such as requests, are not
    limited.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        # kind -> (start of its interval, number of records in it)
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}

    @overrides
    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = (record.name, record.levelno, str(record.msg))
        now = self._clock()
        begin, count = self._seen.get(kind, (now, 0))
        if now - begin >= SECONDS:
            if count > MOST:
                record.fields = {**getattr(record, "fields", {}), "left_out": count - MOST}
            begin, count = now, 0
        if kind not in self._seen and len(self._seen) >= MOST_KINDS:
            self._seen.clear()
        self._seen[kind] = (begin, count + 1)
        return count < MOST
