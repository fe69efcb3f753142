"""
Startup time: the processor time of a command, and of `import torch`, which every command needs.

The goals: `--help`, `--version` and a usage error cost at most 1.7 times `import torch` (a ratio of 0.59), the first
line of Python and `inspect` at most twice (0.5).
"""

import functools
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.contest import CONTESTS

ROUNDS = 5
SMALL_FILE = str(Path(__file__).parents[1] / "fixtures" / "demo" / "dev.jsonl")
STARTS = {
    "startup": ("-m", "allennlp", "--help"),
    "startup_version": ("-m", "allennlp", "--version"),
    "startup_usage_error": ("-m", "allennlp", "trian"),
    "startup_load": ("-c", "from ner_zoo import load"),
    "startup_inspect": ("-m", "allennlp", "inspect", SMALL_FILE),
}


def seconds(*arguments: str) -> float:
    """Processor time of a Python process, including its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Startup:
    """Measured in separate processes, and therefore not a `Contest`, which measures this one."""

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self.arguments = arguments

    def run(self, is_quick: bool) -> dict[str, Any]:
        ours, theirs = float("inf"), float("inf")
        for _ in range(2 if is_quick else ROUNDS):
            theirs = min(theirs, seconds("-c", "import torch"))
            ours = min(ours, seconds(*self.arguments))
        ratio = round(theirs / ours, 2)
        return {"ours": round(ours, 3), "theirs": round(theirs, 3), "ratio": ratio, "unit": "s", "peer": "import torch"}


for name, arguments in STARTS.items():
    CONTESTS[name] = functools.partial(Startup, arguments)
