"""
Joins what is written in one turn of the event loop: the headers and the body of a response are sent at once, in one
system call and usually one packet.
"""

import asyncio
from typing import Any


class JoinedWrites:
    """transport : the transport of a connection, which this one replaces."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._unsent: list[bytes] = []

    def write(self, data: bytes) -> None:
        if not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent.append(data)

    def flush(self) -> None:
        """Sends what was written."""
        if self._unsent:
            self._transport.write(b"".join(self._unsent))
            self._unsent.clear()

    def write_eof(self) -> None:
        self.flush()
        self._transport.write_eof()

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """Everything else is as in the transport."""
        return getattr(self._transport, name)
