"""
Outermost middleware: adds headers to every response, and logs and counts every request.

    request id, host, framing, security headers, metrics, log line; `Connection: close` while the service is shutting
    down
"""

import itertools
import re
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from ner_zoo.service.limits import Refused
from ner_zoo.service.monitoring import Metrics, log
from ner_zoo.service.responses import problem

PROBES = ("/healthz", "/readyz")
REQUEST_ID = re.compile(rb"[\w.-]{1,64}\Z")
# Only the service's own scripts, styles and connections; no framing by other pages.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class RequestMiddleware:
    """
    application : the wrapped application.
    metrics : where requests are counted.
    hosts : allowed names in the Host header, without a port; empty for any.
    is_leaving : whether the service is shutting down.
    """

    def __init__(
        self, application: Any, metrics: Metrics, hosts: Sequence[str], is_leaving: Callable[[], bool]
    ) -> None:
        self.application = application
        self.metrics = metrics
        self.hosts = frozenset(host.strip("[]").lower() for host in hosts)
        self.is_leaving = is_leaving
        self._prefix = uuid.uuid4().hex[:8]
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        note: dict[str, Any] = {"status": 500, "request": self._request_id(scope)}
        scope["note"] = note
        answer = self._answering(send, note)
        started = time.perf_counter()
        self.metrics.in_flight.inc()
        try:
            refusal = self._refusal(scope)
            if refusal is None:
                await self.application(scope, receive, answer)
            else:
                response = problem(refusal)
                # The end of such a request is ambiguous: nothing after it may be read.
                response.headers["Connection"] = "close"
                await response(scope, receive, answer)
        finally:
            self.metrics.in_flight.dec()
            self._take_note(scope, note, time.perf_counter() - started)

    def _refusal(self, scope: Scope) -> Refused | None:
        """The reason to refuse a request without reading it."""
        names = [name for name, _ in scope["headers"]]
        if b"content-length" in names and b"transfer-encoding" in names:
            return Refused(400, "The request has both Content-Length and Transfer-Encoding. Send one of them.")
        if names.count(b"host") > 1 or (b"host" not in names and scope["http_version"] == "1.1"):
            return Refused(400, "The request has no Host header or several. Send one.")
        # An orchestrator's health probe uses only an IP address.
        if self.hosts and scope["path"] not in PROBES and _host(scope) not in self.hosts:
            return Refused(421, "This host name is not allowed. See the option --allowed-host.")
        return None

    def _answering(self, send: Send, note: dict[str, Any]) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                note["status"] = message["status"]
                present = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in HEADERS if pair[0] not in present)]
                message["headers"].append((b"x-request-id", note["request"].encode()))
                if self.is_leaving():
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        return answer

    def _take_note(self, scope: Scope, note: dict[str, Any], seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        self.metrics.requests.labels(scope["method"] if route != "other" else "other", route, note["status"]).inc()
        self.metrics.seconds.labels(route).observe(seconds)
        fields = {"method": scope["method"][:16], "route": route, "milliseconds": round(1000 * seconds, 2), **note}
        log("request", fields)

    def _request_id(self, scope: Scope) -> str:
        """The client's request id if it is valid, so that both logs can be correlated."""
        given = header(scope, b"x-request-id")
        return given.decode() if REQUEST_ID.match(given) else f"{self._prefix}-{next(self._numbers)}"


def header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")


def _host(scope: Scope) -> str:
    """The host name in the Host header, without its port."""
    given = header(scope, b"host").decode("latin-1").lower()
    return given[1:].partition("]")[0] if given.startswith("[") else given.partition(":")[0]
