"""
Monitoring: Prometheus metrics, and logs with one JSON object per line that never contain a text or a token.
"""

import atexit
import json
import logging
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, TextIO

from overrides import overrides
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from pydantic_core import to_json

from ner_zoo.service.log_limit import RepeatLimit

SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
# Records waiting to be written; if the log is not consumed, further ones are dropped to save memory.
MOST_WAITING = 10_000
# Seconds in which records are collected before they are written.
COLLECTING = 0.02

logger = logging.getLogger("ner_zoo.service")


class Metrics:
    """Each service has its own registry, so that several can run in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        new: dict[str, Any] = {"registry": self.registry, "namespace": "ner_zoo"}
        self.requests = Counter("requests", "Requests by route and status", ["method", "route", "status"], **new)
        self.seconds = Histogram("request_seconds", "Time to answer", ["route"], buckets=SECONDS, **new)
        self.in_flight = Gauge("requests_in_flight", "Requests being answered", **new)
        self.batch = Histogram("batch_inputs", "Inputs in a batch", ["model"], buckets=SIZES, **new)
        self.queue = Gauge("queue_inputs", "Queued inputs", ["model"], **new)
        self.predict_seconds = Histogram("predict_seconds", "Time of a batch", ["model"], buckets=SECONDS, **new)
        self.tokens = Counter("tokens", "Tokens predicted", ["model"], **new)
        self.entities = Counter("entities", "Entities found", ["model"], **new)
        self.connections = Gauge("connections", "Open connections", **new)
        self.cut_connections = Counter("cut_connections", "Connections refused or dropped", ["reason"], **new)
        self.failures = Counter("failed_inputs", "Inputs on which a model failed", ["model"], **new)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class JsonFormatter(logging.Formatter):
    """
    Formats a record as one line of JSON. For an error, only its type and location: its message may quote the text that
    caused it.
    """

    @overrides
    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": f"{_whole_second(int(record.created))}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            fields["error"] = record.exc_info[0].__name__
            fields["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        try:
            return to_json(fields).decode()
        except ValueError:  # an unpaired surrogate
            return json.dumps(fields)


@lru_cache(maxsize=1)
def _whole_second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def log(event: str, fields: Mapping[str, Any], level: int = logging.INFO) -> None:
    """Logs one event with its fields."""
    if logger.isEnabledFor(level):
        # `logger.log` would search the stack for its caller, which takes longer than all the rest.
        record = logging.LogRecord(logger.name, level, __file__, 0, event, (), None)
        record.fields = fields
        logger.handle(record)


class BackgroundHandler(logging.Handler):
    """
    Writes records from a separate thread, in batches. Writing releases the GIL: if the event loop wrote logs, every
    request would wait for the model to release it again.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._records: SimpleQueue[logging.LogRecord | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    @overrides
    def emit(self, record: logging.LogRecord) -> None:
        if self._records.qsize() < MOST_WAITING:
            self._records.put(record)

    @overrides
    def close(self) -> None:
        """Writes the remaining records."""
        if self._thread.is_alive():
            self._records.put(None)
            self._thread.join()
        super().close()

    def _write(self) -> None:
        is_open = True
        while is_open:
            records = [self._records.get()]
            # So that a busy service does not switch threads for every request.
            if records[0] is not None:
                time.sleep(COLLECTING)
            while not self._records.empty():
                records.append(self._records.get())
            is_open = None not in records
            try:
                self._stream.write("".join(f"{self.format(record)}\n" for record in records if record is not None))
                self._stream.flush()
            except OSError:
                continue  # a full disk or a closed pipe must not stop the service
            except ValueError:
                return  # the stream was closed


def write_json_logs(level: int = logging.INFO) -> None:
    """Sends all logs of this process to standard error, as JSON."""
    handler = BackgroundHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(RepeatLimit())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logger.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers[:] = []
        logging.getLogger(name).propagate = True
        logging.getLogger(name).setLevel(logging.WARNING)
