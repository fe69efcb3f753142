"""A service on a real socket, in a thread of the test process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ner_zoo.service.listening import bound
from ner_zoo.service.server import Server
from ner_zoo.service.service import Service


@contextmanager
def running(service: Service) -> Iterator[str]:
    """The address of the service while it runs."""
    server = Server(service)
    sockets = bound("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        assert not thread.is_alive()
