"""The service under load: many clients, too many clients, and a signal to stop in the middle."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from ner_zoo.service.limits import Limits
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from tests.service.live_server import running

# (status, whether the answer belongs to the request)
Outcome = tuple[int, bool]


async def client(address: str, name: str, seconds: float, outcomes: list[Outcome]) -> None:
    """Sends one request after the other, each with a unique text."""
    deadline = time.monotonic() + seconds
    async with httpx.AsyncClient(timeout=60) as session:
        number = 0
        while time.monotonic() < deadline:
            text = f"{name} wrote letter {number} to Edda Abernathy of Meridian Systems."
            answer = await session.post(address + "/predict", json={"text": text})
            outcomes.append((answer.status_code, answer.status_code != 200 or answer.json()["text"] == text))
            number += 1


async def clients(address: str, count: int, seconds: float) -> list[Outcome]:
    outcomes: list[Outcome] = []
    await asyncio.gather(*(client(address, f"Client{number}", seconds, outcomes) for number in range(count)))
    return outcomes


def test_every_answer_belongs_to_its_request(tagger: ServedModel) -> None:
    service = Service({"ner": tagger}, Limits(drain=0.1))
    with running(service) as address:
        outcomes = asyncio.run(clients(address, count=24, seconds=3.0))
        metrics = httpx.get(address + "/metrics").text
    assert len(outcomes) >= 24 and set(outcomes) == {(200, True)}
    numbers = {line.split()[0]: float(line.split()[1]) for line in metrics.splitlines() if not line.startswith("#")}
    batches, inputs = (numbers[f'ner_zoo_batch_inputs_{what}{{model="ner"}}'] for what in ("count", "sum"))
    assert inputs >= len(outcomes) and inputs / batches > 2


def test_too_many_requests_are_refused_at_once_and_the_service_recovers(tagger: ServedModel) -> None:
    service = Service({"ner": tagger}, Limits(max_inputs=2, max_queue=2, max_batch=2, drain=0.1))

    async def flood(address: str) -> list[httpx.Response]:
        async with httpx.AsyncClient(timeout=60) as session:
            body = {"text": "Edda Abernathy lives in Port Ellery. " * 20}
            return await asyncio.gather(*(session.post(address + "/predict", json=body) for _ in range(40)))

    with running(service) as address:
        answers = asyncio.run(flood(address))
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused and {answer.status_code for answer in answers} == {200, 429}
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert httpx.post(address + "/predict", json={"text": "Hello."}, timeout=30).status_code == 200


async def until_it_leaves(process: subprocess.Popen, address: str, count: int) -> dict[str, int]:
    """Clients with their own connections; the process is stopped while they are active."""
    tally = {"answered": 0, "lost": 0, "refused": 0}

    async def one(number: int) -> None:
        async with httpx.AsyncClient(timeout=60) as session:
            while True:
                text = f"Letter {number} to Edda Abernathy."
                try:
                    answer = await session.post(address + "/predict", json={"text": text})
                    assert answer.status_code == 200 and answer.json()["text"] == text
                    tally["answered"] += 1
                except httpx.ConnectError:
                    tally["refused"] += 1
                    return
                except httpx.TransportError:
                    tally["lost"] += 1
                    return

    working = [asyncio.create_task(one(number)) for number in range(count)]
    while tally["answered"] < 3 * count:
        await asyncio.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    await asyncio.gather(*working)
    return tally


def started(archive: Path, extra: list[str], before: Any = None) -> tuple[subprocess.Popen, str]:
    """The real command, and the address in its log."""
    command = [sys.executable, "-m", "allennlp", "serve", str(archive), "--port", "0", *extra]
    environment: dict[str, Any] = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=before
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("{") and json.loads(line)["event"] == "listening":
            return process, f"http://127.0.0.1:{json.loads(line)['port']}"
    raise AssertionError(f"the service ended with status {process.wait()}")


def test_a_signal_under_load_loses_no_request_that_was_accepted(tagger_archive: Path) -> None:
    process, address = started(tagger_archive, [])
    try:
        tally = asyncio.run(until_it_leaves(process, address, count=16))
        assert tally["lost"] == 0 and tally["refused"] == 16 and tally["answered"] >= 48
        assert process.wait(timeout=60) == 0
        assert process.stdout is not None
        assert process.stdout.read().strip().endswith(f"The page will be at {address}/")
    finally:
        process.kill()
        process.wait()
