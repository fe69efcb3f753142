"""
One connection: a deadline for everything a client can delay, and a limit on the number of connections.

    connect -> [header_timeout] -> headers -> [body_timeout] -> body -> answer -> [send_timeout] -> taken
            -> idle [uvicorn's keep-alive] -> first byte -> [header_timeout] -> ...

uvicorn has a deadline for idle connections only: without the others, stalled clients would stay forever. Requests that
are sent before the last was answered (pipelining) are parsed only when it is their turn.
"""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from overrides import overrides
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ner_zoo.service.joined_writes import JoinedWrites
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.monitoring import Metrics
from ner_zoo.service.responses import raw_answer

# Seconds for which a refused client may keep sending: closing a socket with unread data would discard the answer.
LINGER = 1.0
MOST_LINGERING = 32
# Bytes parsed at a time, bytes of headers after which a request is refused, and bytes of further requests that a client
# may send before the response to the first.
PARSED_AT_A_TIME = 4096
MOST_HEADER_BYTES = 65_536
MOST_UNPARSED = 4_000_000


@dataclass
class SharedState:
    """State shared by all connections: limits, metrics, and refused connections that are not closed yet."""

    limits: Limits
    metrics: Metrics
    lingering: "list[Connection]" = field(default_factory=list)


class Deadline:
    """A callback that is called after a delay unless cancelled; setting it again cancels the previous one."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, callback: Callable[[], None]) -> None:
        self.cancel()
        self._timer = self._loop.call_later(seconds, callback)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Connection(HttpToolsProtocol):
    """shared : state shared by the connections of a server. The other arguments are uvicorn's."""

    def __init__(self, shared: SharedState, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.shared = shared
        self._is_refused = False
        self._unparsed = b""
        # The part of the current request that is being received: "headers", "body", or "" between two requests.
        self._part = ""
        self._header_bytes = 0
        self._phase = ""
        self._receiving = Deadline(self.loop)
        self._sending = Deadline(self.loop)

    @overrides(check_signature=False)
    def connection_made(self, transport: asyncio.Transport) -> None:
        joined: Any = JoinedWrites(transport, self.loop)
        super().connection_made(joined)
        # So that `pause_writing` is called for any byte the client does not accept.
        transport.set_write_buffer_limits(high=0)
        if len(self.connections) > self.shared.limits.max_connections:
            self._refuse()
        else:
            self._watch()

    @overrides
    def data_received(self, data: bytes) -> None:
        if not self._is_refused:
            self._unparsed += data
            self._parse()
            self._watch()

    def _parse(self) -> None:
        """Parses what was received, up to the first request that has to wait for the response to another."""
        received, self._unparsed = self._unparsed, b""
        for start in range(0, len(received), PARSED_AT_A_TIME):
            if self.transport.is_closing():
                return
            if self.pipeline:
                self._wait_with(received[start:])
                return
            part, piece = self._part, received[start : start + PARSED_AT_A_TIME]
            super().data_received(piece)
            self._header_bytes = self._header_bytes + len(piece) if part == self._part == "headers" else 0
            if self._header_bytes > MOST_HEADER_BYTES:
                self._reject(Refused(431, f"The headers are larger than {MOST_HEADER_BYTES} bytes."))

    def _wait_with(self, unparsed: bytes) -> None:
        self._unparsed = unparsed
        self.flow.pause_reading()
        if len(unparsed) > MOST_UNPARSED:
            self._count("too many requests at once")
            self.transport.abort()

    @overrides
    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._part = "headers"

    @overrides
    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._part = "body"

    @overrides
    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._part = ""

    @overrides
    def send_400_response(self, msg: str) -> None:
        # Called where uvicorn handles the error of the parser, which has the reason.
        self._reject(Refused(400, f"{msg} {sys.exc_info()[1]}".strip()))

    @overrides
    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._parse()
        self._watch()

    @overrides
    def pause_writing(self) -> None:
        super().pause_writing()
        self._sending.set(self.shared.limits.send_timeout, self._give_up_sending)

    @overrides
    def resume_writing(self) -> None:
        super().resume_writing()
        self._sending.cancel()

    @overrides
    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_refused:
            self.shared.lingering.remove(self)
        self._receiving.cancel()
        self._sending.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Starts the deadline of whatever the client must send next."""
        phase = self._next_phase()
        if phase == self._phase:
            return
        self._phase = phase
        self._receiving.cancel()
        limits = self.shared.limits
        if phase == "headers":
            self._receiving.set(limits.header_timeout, self._give_up_headers)
        if phase == "body":
            # The reader of the body answers 408 at its deadline; this is for bodies that nobody reads.
            self._receiving.set(limits.body_timeout + LINGER, self._give_up_body)

    def _next_phase(self) -> str:
        if self.pipeline or self.transport.is_closing():
            return ""
        if self._part == "body":
            return "body"
        is_answered = self.cycle is None or self.cycle.response_complete
        is_idle = self._part == "" and self.timeout_keep_alive_task is not None
        return "headers" if is_answered and not is_idle else ""

    def _give_up_headers(self) -> None:
        self._count("slow headers")
        if self._part == "headers":
            seconds = self.shared.limits.header_timeout
            self._reject(Refused(408, f"The headers did not arrive within {seconds:g} seconds."))
        self.transport.close()

    def _reject(self, refused: Refused) -> None:
        """Answers a request that cannot be parsed, and closes the connection: nothing after it may be read."""
        self.transport.write(raw_answer(refused))
        self.transport.close()

    def _give_up_body(self) -> None:
        self._count("slow body")
        self.transport.close()

    def _give_up_sending(self) -> None:
        self._count("answer not taken")
        self.transport.abort()

    def _refuse(self) -> None:
        """Answers 503 before the request is read, and closes the connection."""
        self._is_refused = True
        self._count("too many connections")
        self.connections.discard(self)  # a refused connection does not count
        self.shared.lingering.append(self)
        if len(self.shared.lingering) > MOST_LINGERING:
            self.shared.lingering[0].transport.abort()
        message = f"{self.shared.limits.max_connections} connections are already open. Retry later."
        self.transport.write(raw_answer(Refused(503, message, retry_after=1)))
        self.transport.write_eof()
        self._receiving.set(LINGER, self.transport.abort)

    def _count(self, reason: str) -> None:
        self.shared.metrics.cut_connections.labels(reason).inc()
