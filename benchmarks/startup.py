"""How long a command takes to start: the processor time of `allennlp --help`, and of what it cannot do without."""

import resource
import subprocess
import sys
from typing import Any

from benchmarks.contest import CONTESTS

ROUNDS = 5


def seconds(*arguments: str) -> float:
    """Processor time of a Python process, with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Startup:
    """Measured in other processes, one by one, and so not a `Contest`, which measures this one."""

    def run(self, is_quick: bool) -> dict[str, Any]:
        ours, theirs = float("inf"), float("inf")
        for _ in range(2 if is_quick else ROUNDS):
            theirs = min(theirs, seconds("-c", "import torch"))
            ours = min(ours, seconds("-m", "allennlp", "--help"))
        ratio = round(theirs / ours, 2)
        return {"ours": round(ours, 3), "theirs": round(theirs, 3), "ratio": ratio, "unit": "s", "peer": "import torch"}


CONTESTS["startup"] = Startup
