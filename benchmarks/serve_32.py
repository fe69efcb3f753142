"""
Requests per second of the service with 32 clients, compared with AllenNLP's own predictor on the same network, one text
at a time.

The service is a separate process on a real socket; the clients are connections of this process that send the next
request when the last is answered. Both sides are measured in wall-clock time, in turns.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from benchmarks.contest import contest
from benchmarks.demo_models import our_archive, stock_predictor, texts

CLIENTS = 32
SECONDS = 4.0


@dataclass(frozen=True)
class ServeContest:
    rounds: int = 3

    def run(self, is_quick: bool) -> dict[str, Any]:
        process, port = started(our_archive())
        try:
            best = {"ours": 0.0, "theirs": 0.0}
            one_at_a_time(0.5)
            asyncio.run(through_the_service(port, 0.5))
            for _ in range(1 if is_quick else self.rounds):
                best["theirs"] = max(best["theirs"], one_at_a_time(SECONDS))
                best["ours"] = max(best["ours"], asyncio.run(through_the_service(port, SECONDS)))
        finally:
            process.terminate()
            process.wait()
        return {
            "ours": round(best["ours"], 1),
            "theirs": round(best["theirs"], 1),
            "ratio": round(best["ours"] / best["theirs"], 2),
            "unit": "requests/s",
            "peer": "AllenNLP's sentence_tagger, one text at a time",
        }


def started(archive: str) -> tuple[subprocess.Popen, int]:
    """The service and its port."""
    command = [sys.executable, "-m", "allennlp", "serve", archive, "--port", "0"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("{") and json.loads(line)["event"] == "listening":
            # An unread log would block the service.
            subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
            return process, json.loads(line)["port"]
    raise RuntimeError(f"The service exited with status {process.wait()} before it started listening.")


def one_at_a_time(seconds: float) -> float:
    predictor, many = stock_predictor(), texts()
    start = time.perf_counter()
    count = 0
    while time.perf_counter() - start < seconds:
        json.dumps(predictor.predict_json({"sentence": many[count % len(many)]}))
        count += 1
    return count / (time.perf_counter() - start)


async def through_the_service(port: int, seconds: float) -> float:
    bodies = [json.dumps({"text": text}).encode() for text in texts()]
    head = (
        b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
    )
    requests = [head % (len(body), body) for body in bodies]
    start = time.perf_counter()
    counts = await asyncio.gather(*(_client(port, requests, number, start + seconds) for number in range(CLIENTS)))
    return sum(counts) / (time.perf_counter() - start)


async def _client(port: int, requests: list[bytes], number: int, deadline: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    count = 0
    while time.perf_counter() < deadline:
        writer.write(requests[(number + count) % len(requests)])
        answer = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length"))
        await reader.readexactly(int(length.split(b":")[1]))
        assert answer.startswith(b"HTTP/1.1 200")
        count += 1
    writer.close()
    return count


@contest("serve_32")
def serve_32() -> ServeContest:
    return ServeContest()
