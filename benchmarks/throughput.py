"""
Compares two ways to process the same text, in words per second of processor time, in turns; the best round of each
counts.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# Does some work, and returns the number of words.
Work = Callable[[], int]


@dataclass(frozen=True)
class Throughput:
    """ours, theirs : process the text once. peer : name of `theirs`. rounds : number of rounds per side."""

    ours: Work
    theirs: Work
    peer: str
    rounds: int = 5

    def run(self, is_quick: bool) -> dict[str, Any]:
        sides = {"theirs": self.theirs, "ours": self.ours}
        best = dict.fromkeys(sides, 0.0)
        for side in sides.values():
            side()
        for _ in range(2 if is_quick else self.rounds):
            for side, work in sides.items():
                best[side] = max(best[side], _words_per_second(work))
        return {
            "ours": round(best["ours"]),
            "theirs": round(best["theirs"]),
            "ratio": round(best["ours"] / best["theirs"], 2),
            "unit": "words/s",
            "peer": self.peer,
        }


def _words_per_second(work: Work) -> float:
    start = time.process_time()
    words = work()
    return words / (time.process_time() - start)
