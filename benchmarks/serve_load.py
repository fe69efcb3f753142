"""
The service under load, with and without misbehaving clients: `python -m benchmarks.serve_load --seconds 60`

    64 and 256 clients with small requests, each sending the next when the last is answered
    the same, with 1% slow clients (half a request, silence, answers not read) and 1% with long texts

Before the runs each text is sent once, alone: an answer under load is wrong if it has other entities, or scores that
differ by more than rounding. Reported for each run: requests and their times, wrong and lost answers, and the memory of
the service. The benchmark fails if an answer is wrong or lost, if p99 of the small requests is 3 times that without
misbehaving clients, or if memory grows.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.demo_models import our_archive, texts
from benchmarks.serve_32 import started

CLIENTS = (64, 256)
MOST_TIMES_SLOWER = 3.0
# Between the first and the second half of a run.
MOST_GROWTH = 1.1
LONG_CHARACTERS = 90_000
# Tolerance for scores compared with those of the same text alone: sums in another order are rounded differently.
ROUNDING = 1e-3


@dataclass
class Tally:
    """The observations of the clients of a run, and the memory of the service over time, in megabytes."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    wrong: int = 0
    lost: int = 0
    long_texts: int = 0
    memory: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Percentile of the small requests, in milliseconds."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def growth(self) -> float:
        half = len(self.memory) // 2
        return max(self.memory[half:]) / max(self.memory[:half])

    def summary(self) -> dict[str, Any]:
        return {
            "small requests": len(self.seconds),
            "p50 ms": round(self.percentile(0.5), 1),
            "p99 ms": round(self.percentile(0.99), 1),
            "long texts": self.long_texts,
            "refused (429, 503, 504)": self.refused,
            "wrong": self.wrong,
            "lost": self.lost,
            "MB": round(self.memory[-1]),
            "growth": round(self.growth(), 3),
        }


@dataclass
class Load:
    """port, pid : of the service. seconds : duration of each run."""

    port: int
    pid: int
    seconds: float
    expected: dict[str, Any] = field(default_factory=dict)

    async def ask_alone(self, number_of_long_texts: int) -> None:
        """The expected answers."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 26)
        for text in [*texts(), *map(long_text, range(number_of_long_texts))]:
            status, self.expected[text] = await _ask(reader, writer, text)
            assert status == 200, self.expected[text]
        writer.close()

    async def run(self, clients: int, troublesome: int) -> Tally:
        """`troublesome` clients of each kind, slow and with long texts, among `clients`."""
        tally, end = Tally(), time.perf_counter() + self.seconds
        small = clients - 2 * troublesome
        await asyncio.gather(
            *(self._small(number, tally, end) for number in range(small)),
            *(self._long(number, tally, end) for number in range(troublesome)),
            *(self._slow(number, end) for number in range(troublesome)),
            self._watch(tally, end),
        )
        return tally

    async def _small(self, number: int, tally: Tally, end: float) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        some = texts()
        count = number
        while time.perf_counter() < end:
            text = some[count % len(some)]
            start = time.perf_counter()
            try:
                status, answer = await _ask(reader, writer, text)
            except (OSError, asyncio.IncompleteReadError):
                tally.lost += 1
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                continue
            if status == 200:
                tally.seconds.append(time.perf_counter() - start)
                tally.wrong += self._is_wrong(text, answer)
            elif status in (429, 503):
                tally.refused += 1
                await asyncio.sleep(0.1)
            else:
                tally.wrong += 1
            count += 1
        writer.close()

    async def _long(self, number: int, tally: Tally, end: float) -> None:
        text = long_text(number)
        while time.perf_counter() < end:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 26)
            try:
                status, answer = await _ask(reader, writer, text)
            except (OSError, asyncio.IncompleteReadError):
                tally.lost += 1
                continue
            tally.long_texts += status == 200
            tally.refused += status in (429, 503, 504)
            tally.wrong += status not in (200, 429, 503, 504) or (status == 200 and self._is_wrong(text, answer))
            writer.close()

    def _is_wrong(self, text: str, answer: dict[str, Any]) -> bool:
        expected = self.expected[text]
        found, wanted = ([(one["type"], one["fragments"]) for one in some["entities"]] for some in (answer, expected))
        scores = zip(answer["entities"], expected["entities"])
        return (
            answer["text"] != text
            or found != wanted
            or any(abs(one["score"] - other["score"]) > ROUNDING for one, other in scores)
        )

    async def _slow(self, number: int, end: float) -> None:
        """In turns: sends nothing, stops in its headers, stops in its body, does not read its answers."""
        head = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
        page = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for sent in [b"", head[:30], head + b'{"text":', page * 50][number % 4 :] * 1000:
            if time.perf_counter() >= end:
                return
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(sent)
            await asyncio.sleep(min(3.0, max(0.0, end - time.perf_counter())))
            writer.transport.abort()

    async def _watch(self, tally: Tally, end: float) -> None:
        while time.perf_counter() < end or len(tally.memory) < 2:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
            tally.memory.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
            await asyncio.sleep(min(1.0, self.seconds / 4))


def long_text(number: int) -> str:
    return ((" ".join(texts()) + " ") * 1000)[number : number + LONG_CHARACTERS]


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: str) -> Any:
    """The status and the content of an answer."""
    body = json.dumps({"text": text}).encode()
    writer.write(b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    content = await reader.readexactly(int(length.split(b":")[1]))
    return int(head.split()[1]), json.loads(content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="duration of each run")
    parser.add_argument("--clients", type=int, nargs="+", default=CLIENTS, help="numbers of clients; two runs for each")
    arguments = parser.parse_args()
    seconds = arguments.seconds
    process, port = started(our_archive())
    failures = []
    try:
        load = Load(port, process.pid, seconds)
        asyncio.run(load.ask_alone(max(1, max(arguments.clients) // 100)))
        asyncio.run(Load(port, process.pid, min(2.0, seconds), load.expected).run(32, 1))  # warms everything up
        for clients in arguments.clients:
            calm = asyncio.run(load.run(clients, 0))
            print(json.dumps({"clients": clients, "troublesome": "none", **calm.summary()}), flush=True)
            rough = asyncio.run(load.run(clients, max(1, clients // 100)))
            slower = rough.percentile(0.99) / calm.percentile(0.99)
            summary = {"p99 times": round(slower, 2), **rough.summary()}
            print(json.dumps({"clients": clients, "troublesome": "1% slow, 1% long", **summary}), flush=True)
            if slower > MOST_TIMES_SLOWER or rough.growth() > MOST_GROWTH:
                failures.append(
                    f"{clients} clients: p99 is {slower:.2f} times as long, memory grew {rough.growth():.2f}"
                )
            if calm.wrong + calm.lost + rough.wrong + rough.lost:
                failures.append(f"{clients} clients: wrong or lost answers")
    finally:
        process.terminate()
        process.wait()
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
