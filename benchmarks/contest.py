"""
Two ways to do the same work, measured in turns.

The rounds are interleaved, so that a disturbance of the machine meets both sides, and the best round of each counts. In
a round each side works for a while, as often as fits, and the mean counts. Time is that which the processor worked for
this process, which other programs disturb less than the time on the wall; with one thread the two are the same on a
machine that does nothing else.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Work = Callable[[], Any]

# Milliseconds that each side works in a round.
ROUND = 60.0


@dataclass(frozen=True)
class Contest:
    """
    ours, theirs : do the work once.
    peer : whose implementation `theirs` is.
    unit : of the results.
    rounds : how often each side has its turn.
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
    """Of one call, on average."""
    start = time.process_time()
    for _ in range(calls):
        work()
    return 1000 * (time.process_time() - start) / calls


def calls_per_round(work: Work) -> int:
    """How often the work fits into a round; the first call is not counted, which may compile or allocate."""
    work()
    return max(1, int(ROUND / milliseconds(work, 1)))


# The benchmarks by name; each file of this folder that defines some adds them when it is imported.
CONTESTS: dict[str, Callable[[], Contest]] = {}


def contest(name: str) -> Callable[[Callable[[], Contest]], Callable[[], Contest]]:
    """Registers a function that prepares a contest. It is called only if the contest is to be run."""

    def register(prepare: Callable[[], Contest]) -> Callable[[], Contest]:
        CONTESTS[name] = prepare
        return prepare

    return register
