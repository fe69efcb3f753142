"""
Compares two implementations of the same work.

The rounds are interleaved, so that a disturbance of the machine affects both sides, and the best round of each counts.
In a round each side repeats the work for a while, and the mean counts. Time is the processor time of this process,
which other programs disturb less than wall-clock time; with one thread on an idle machine, the two are the same.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Work = Callable[[], Any]

# Milliseconds of work per side and round.
ROUND = 60.0


@dataclass(frozen=True)
class Contest:
    """
    ours, theirs : do the work once.
    peer : name of the implementation of `theirs`.
    unit : unit of the results.
    rounds : number of rounds per side.
    """

    ours: Work
    theirs: Work
    peer: str
    unit: str = "ms"
    rounds: int = 15

    def run(self, is_quick: bool) -> dict[str, Any]:
        rounds = 3 if is_quick else self.rounds
        sides = {"theirs": self.theirs, "ours": self.ours}
        calls = {side: calls_per_round(work) for side, work in sides.items()}
        best = dict.fromkeys(sides, float("inf"))
        for _ in range(rounds):
            for side, work in sides.items():
                best[side] = min(best[side], milliseconds(work, calls[side]))
        ratio = best["theirs"] / best["ours"]
        return {
            "ours": round(best["ours"], 3),
            "theirs": round(best["theirs"], 3),
            "ratio": round(ratio, 2),
            "unit": self.unit,
            "peer": self.peer,
        }


def milliseconds(work: Work, calls: int) -> float:
    """The mean time of one call."""
    start = time.process_time()
    for _ in range(calls):
        work()
    return 1000 * (time.process_time() - start) / calls


def calls_per_round(work: Work) -> int:
    """How often the work fits into a round; the first call, which may compile or allocate, is not counted."""
    work()
    return max(1, int(ROUND / milliseconds(work, 1)))


# The benchmarks by name; each module of this folder registers its own when it is imported.
CONTESTS: dict[str, Callable[[], Contest]] = {}


def contest(name: str) -> Callable[[Callable[[], Contest]], Callable[[], Contest]]:
    """Registers a function that prepares a contest. It is called only if the contest is run."""

    def register(prepare: Callable[[], Contest]) -> Callable[[], Contest]:
        CONTESTS[name] = prepare
        return prepare

    return register
