"""
Receives request bodies within the limits of size and time. When the service stops, partially received ones are dropped.
"""

import asyncio

from fastapi import Request
from starlette.requests import ClientDisconnect

from ner_zoo.service.limits import Limits, Refused

# nginx's status for a client that closed the connection: logged, but never sent.
CLIENT_LEFT = 499


class RequestBodies:
    """limits : limits of size and time."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._is_leaving = False
        self._deadlines: set[asyncio.Timeout] = set()

    async def read(self, request: Request) -> bytes:
        """The body of a request."""
        announced = request.headers.get("content-length", "0")
        if announced.isdecimal() and int(announced[:20]) > self.limits.max_body_bytes:
            raise self._too_large()
        deadline = asyncio.timeout(0 if self._is_leaving else self.limits.body_timeout)
        try:
            async with deadline:
                self._deadlines.add(deadline)
                return await self._parts(request)
        except TimeoutError:
            if self._is_leaving:
                raise Refused(503, "The service is shutting down. Send the request again.", retry_after=1) from None
            seconds = self.limits.body_timeout
            raise Refused(408, f"The body did not arrive within {seconds:g} seconds.") from None
        except ClientDisconnect:
            raise Refused(CLIENT_LEFT, "The client closed the connection.") from None
        finally:
            self._deadlines.discard(deadline)

    def give_up(self) -> None:
        """Stops waiting for pending and future bodies."""
        self._is_leaving = True
        for deadline in self._deadlines:
            deadline.reschedule(asyncio.get_running_loop().time())

    async def _parts(self, request: Request) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in request.stream():
            size += len(part)
            if size > self.limits.max_body_bytes:
                raise self._too_large()
            parts.append(part)
        return b"".join(parts)

    def _too_large(self) -> Refused:
        return Refused(413, f"The body is larger than {self.limits.max_body_bytes} bytes.")
