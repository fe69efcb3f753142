"""Clients that are slow, silent, too many, or do not read: on real sockets."""

import json
import re
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ner_zoo.service.limits import Limits
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from tests.service.live_server import running
from tests.service.server_test import started

LIMITS = Limits(header_timeout=0.4, body_timeout=0.4, send_timeout=0.4, drain=0.1, max_connections=4)


@pytest.fixture(scope="module")
def impatient(tagger: ServedModel) -> Iterator[str]:
    with running(Service({"ner": tagger}, LIMITS)) as address:
        yield address


def connected(address: str, sent: bytes = b"") -> socket.socket:
    host, port = re.findall(r"//(.*):(\d+)", address)[0]
    connection = socket.create_connection((host, int(port)), timeout=10)
    connection.sendall(sent)
    return connection


def received(connection: socket.socket) -> bytes:
    """Everything received until the other side closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    connection.close()
    return b"".join(parts)


def seconds_until_closed(connection: socket.socket) -> tuple[float, bytes]:
    start = time.monotonic()
    content = received(connection)
    return time.monotonic() - start, content


def head(length: int, path: str = "/predict") -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n".encode()


def test_a_silent_client_is_disconnected(impatient: str) -> None:
    seconds, content = seconds_until_closed(connected(impatient))
    assert 0.3 < seconds < 3 and content == b""


def test_headers_that_do_not_end_get_408_however_slowly_they_come(impatient: str) -> None:
    connection = connected(impatient, b"GET / HTTP/1.1\r\n")
    start = time.monotonic()
    connection.settimeout(0.1)
    content = b""
    while not content and time.monotonic() - start < 5:
        connection.sendall(b"X-A: b\r\n")
        try:
            content = connection.recv(1000)
        except TimeoutError:
            continue
    assert content.startswith(b"HTTP/1.1 408 ") and b"headers" in content and time.monotonic() - start < 3


def test_the_second_request_of_a_connection_has_the_same_deadline(impatient: str) -> None:
    connection = connected(impatient, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    assert b" 200 " in connection.recv(65536)
    connection.sendall(b"GET /heal")
    seconds, content = seconds_until_closed(connection)
    assert seconds < 3 and b"HTTP/1.1 408 " in content


def test_a_body_that_does_not_end_gets_408(impatient: str) -> None:
    seconds, content = seconds_until_closed(connected(impatient, head(100) + b'{"text"'))
    assert content.startswith(b"HTTP/1.1 408 ") and seconds < 4


def test_an_unread_body_has_a_deadline_too(impatient: str) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf"
    connection = connected(impatient, request)
    start = time.monotonic()
    connection.settimeout(0.2)
    content = b""
    while time.monotonic() - start < 8:
        try:
            connection.sendall(b"x")
            part = connection.recv(65536)
            content += part
            if not part:
                break
        except TimeoutError:
            continue
        except OSError:
            break
    assert b" 200 " in content and time.monotonic() - start < 5


def test_a_response_that_is_not_read_is_dropped(tagger: ServedModel) -> None:
    service = Service({"ner": tagger}, LIMITS)
    with running(service) as address:
        host, port = re.findall(r"//(.*):(\d+)", address)[0]
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((host, int(port)))
        # Some megabytes of answers, requested one after the other without reading any.
        request = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
        connection.settimeout(2)
        cut = service.metrics.cut_connections.labels("answer not taken")._value
        deadline = time.monotonic() + 15
        while cut.get() == 0 and time.monotonic() < deadline:
            try:
                connection.sendall(request * 20)
            except OSError:
                break
            time.sleep(0.02)
        while cut.get() == 0 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert cut.get() == 1


def filled_with_silent_connections(address: str, count: int) -> tuple[list[socket.socket], bytes]:
    """Silent connections, and the answer to a request while they are open: on a busy machine, the first connections may
    have timed out before the last one is made. Then it is tried again."""
    for _ in range(10):
        silent = [connected(address) for _ in range(count)]
        time.sleep(0.1)
        content = received(connected(address, b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        if b" 200 " not in content:
            break
        for connection in silent:
            connection.close()
    return silent, content


def test_connections_above_the_cap_get_503_and_may_come_back(impatient: str) -> None:
    silent, content = filled_with_silent_connections(impatient, 4)
    assert content.startswith(b"HTTP/1.1 503 ") and re.search(rb"(?i)retry-after: [1-9]", content)
    assert json.loads(content.partition(b"\r\n\r\n")[2])["error"]
    for connection in silent:
        assert seconds_until_closed(connection)[0] < 3
    assert httpx.get(impatient + "/healthz").status_code == 200


def few_descriptors() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))


@pytest.fixture(scope="module")
def small_process(tagger_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple]:
    """The real command with 200 file descriptors, its address, and its log file."""
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    options = ["--header-timeout", "2", "--drain", "0.5", "--body-timeout", "60"]
    process, address = started(tagger_archive, options, few_descriptors)
    with path.open("wb") as log:
        copying = subprocess.Popen(["cat"], stdin=process.stderr, stdout=log)
        yield process, address, path
        process.kill()
        process.wait()
        copying.wait()


def test_silent_connections_neither_block_the_service_nor_fill_the_log(small_process: tuple) -> None:
    _, address, log = small_process
    silent, content = filled_with_silent_connections(address, 400)
    assert content.startswith(b"HTTP/1.1 503 ") and re.search(rb"(?i)retry-after: [1-9]", content)
    deadline = time.monotonic() + 20
    while (status := httpx.get(address + "/healthz", timeout=10).status_code) != 200 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert status == 200
    for connection in silent:
        connection.close()
    assert log.stat().st_size < 20_000


def test_warnings_that_clients_cause_do_not_fill_the_log(small_process: tuple) -> None:
    _, address, log = small_process
    before = log.stat().st_size
    for _ in range(300):
        connection = connected(address, b"\x00\x01 nonsense\r\n\r\n")
        assert b" 400 " in connection.recv(200)
        connection.close()
    time.sleep(0.2)
    assert log.stat().st_size - before < 3_000


def test_partial_requests_do_not_delay_the_shutdown(small_process: tuple) -> None:
    process, address, _ = small_process
    half_head = connected(address, b"POST /predict HTTP/1.1\r\nHost:")
    half_body = connected(address, head(1000) + b'{"text": "Ed')
    time.sleep(0.2)
    start = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0
    assert time.monotonic() - start < 5
    answer = received(half_body)
    assert answer.startswith(b"HTTP/1.1 503 ") and b"retry-after" in answer.lower()
    assert b" 200 " not in received(half_head)


def test_a_client_that_disconnects_is_not_a_failure_of_the_service(
    impatient: str, caplog: pytest.LogCaptureFixture
) -> None:
    connected(impatient, head(1000) + b'{"text"').close()
    time.sleep(0.3)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("order", [0, 1])
def test_a_request_with_two_lengths_is_refused_and_nothing_behind_it_is_read(impatient: str, order: int) -> None:
    two = [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"]
    lengths = b"".join(two if order else two[::-1])
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    request = b"POST /predict HTTP/1.1\r\nHost: a\r\n" + lengths + b"\r\n0\r\n\r\n" + smuggled
    content = received(connected(impatient, request))
    assert content.startswith(b"HTTP/1.1 400 ") and content.count(b"HTTP/1.1 ") == 1
    assert b"Transfer-Encoding" in content


def test_headers_without_end_are_refused_before_they_fill_the_memory(impatient: str) -> None:
    connection = connected(impatient, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: " + b"x" * 70_000)
    assert received(connection).startswith(b"HTTP/1.1 431 ")


def test_headers_that_come_byte_by_byte_are_accepted(impatient: str) -> None:
    connection = connected(impatient)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n":
        connection.sendall(bytes([byte]))
    assert received(connection).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("hosts", [b"", b"Host: a\r\nHost: b\r\n"])
def test_a_request_needs_exactly_one_host(impatient: str, hosts: bytes) -> None:
    content = received(connected(impatient, b"GET /healthz HTTP/1.1\r\n" + hosts + b"\r\n"))
    assert content.startswith(b"HTTP/1.1 400 ") and b"Host" in content


def test_an_empty_line_does_not_keep_an_idle_connection_open(impatient: str) -> None:
    connection = connected(impatient, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    assert b" 200 " in connection.recv(65536)
    connection.sendall(b"\r\n")
    assert seconds_until_closed(connection)[0] < 3


def test_requests_sent_without_waiting_are_answered_in_order(tagger: ServedModel) -> None:
    texts = [f"Letter {number} to Edda Abernathy." for number in range(100)]
    bodies = [json.dumps({"text": text}).encode() for text in texts]
    last = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with running(Service({"ner": tagger}, Limits(drain=0.1))) as address:
        connection = connected(address, b"".join(head(len(body)) + body for body in bodies) + last)
        content = received(connection)
    assert re.findall(rb"Letter \d+ to Edda Abernathy\.(?=\")", content) == [text.encode() for text in texts]
    assert content.count(b"HTTP/1.1 200 ") == len(texts) + 1


def test_too_many_requests_sent_without_waiting_close_the_connection(tagger: ServedModel) -> None:
    service = Service({"ner": tagger}, Limits(drain=0.1))
    with running(service) as address:
        body = json.dumps({"text": "Edda Abernathy lives in Port Ellery."}).encode()
        connection = connected(address)
        with pytest.raises(OSError):
            for _ in range(100):
                connection.sendall((head(len(body)) + body) * 3000)
        connection.close()
        assert service.metrics.cut_connections.labels("too many requests at once")._value.get() == 1
