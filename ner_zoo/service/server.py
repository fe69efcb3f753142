"""
Runs the service until it is stopped; then answers what it has accepted, and exits.

On SIGTERM or SIGINT: connections that the system has already accepted are taken, and no further ones. Every response
now asks its client to close the connection. For `drain` seconds, clients that are between two requests or in the middle
of one may continue and are answered. Then idle connections are closed, partial requests get 503, and after the last
response the process exits.
"""

import asyncio
import logging
import resource
import socket
from dataclasses import replace
from functools import partial
from typing import Any

import uvicorn
from overrides import overrides

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.service.app import create_app
from ner_zoo.service.connection import Connection, SharedState
from ner_zoo.service.monitoring import log
from ner_zoo.service.service import Service

# The backlog of the socket, and how many connections are accepted at a time: few, so that those above the limit are
# refused before the next are accepted.
BACKLOG = 2048
ACCEPTED_AT_A_TIME = 16
KEEP_ALIVE = 30
# File descriptors for files, libraries, connections being refused, and those accepted together before any is refused.
RESERVE = 128


class Server(uvicorn.Server):
    """service : the service to run."""

    def __init__(self, service: Service) -> None:
        limits = replace(service.limits, max_connections=connections_possible(service.limits.max_connections))
        self.shared = SharedState(limits, service.metrics)
        protocol: Any = partial(Connection, self.shared)
        config = uvicorn.Config(
            create_app(service),
            http=protocol,
            ws="none",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=ACCEPTED_AT_A_TIME,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=int(limits.timeout) + 5,
        )
        super().__init__(config)
        self.service = service
        service.connections = self.server_state.connections

    @overrides(check_signature=False)
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        assert sockets
        await super().startup(sockets)
        for listener in sockets:
            listener.listen(BACKLOG)
        address = sockets[0].getsockname()
        log("listening", {"host": address[0], "port": address[1], "models": list(self.service.models)})

    @overrides
    async def on_tick(self, counter: int) -> bool:
        self.service.metrics.connections.set(len(self.server_state.connections))
        return await super().on_tick(counter)

    @overrides(check_signature=False)
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.service.is_leaving = True
        log("leaving", {"connections": len(self.server_state.connections)})
        await self._stop_listening()
        deadline = asyncio.get_running_loop().time() + self.service.limits.drain
        while self.server_state.connections and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.02)
        self.service.bodies.give_up()
        await super().shutdown(sockets)
        # The signal has been handled, so the process does not have to die from it.
        self._captured_signals.clear()
        log("left", {})

    async def _stop_listening(self) -> None:
        """Takes every connection that waits to be accepted, and refuses further ones."""
        loop = asyncio.get_running_loop()
        for server in self.servers:
            # The duplicates keep the sockets listening while asyncio closes its own.
            copies = [socket.socket(fileno=listener.dup().detach()) for listener in server.sockets]
            server.close()
            for copy in copies:
                copy.setblocking(False)
                waiting: list[socket.socket] = []
                while True:
                    try:
                        waiting.append(copy.accept()[0])
                    except (BlockingIOError, ConnectionAbortedError):
                        break
                copy.close()
                for connection in waiting:
                    connection.setblocking(False)
                    await loop.connect_accepted_socket(self._protocol, connection)

    def _protocol(self) -> asyncio.Protocol:
        return self.config.http_protocol_class(  # type: ignore[call-arg,return-value]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )


def connections_possible(wanted: int) -> int:
    """
    The requested number of connections, or as many as the system allows. Raises the process's limit of file
    descriptors for them: without free ones, a service cannot accept any connection.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVE
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(hard, needed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == unlimited or soft >= needed:
        return wanted
    if soft <= RESERVE:
        raise ConfigurationError(
            f"This process may open {soft} files, but the service needs {RESERVE} in addition to its connections. "
            f"Raise the limit: ulimit -n {needed}"
        )
    fields = {"max_connections": soft - RESERVE, "wanted": wanted, "advice": f"ulimit -n {needed}"}
    log("fewer connections than max_connections: too few file descriptors", fields, logging.WARNING)
    return soft - RESERVE
