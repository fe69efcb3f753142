"""
The memory that `suggest` takes for few rows and for a million.

    python -m results.suggest_memory MODEL 20000 1000000 -o docs/results/labels/suggest_memory.json

Each number of rows is a process of its own, without workers, so that its peak is that of everything. Rows are given
random numbers in the place of the model's, which takes no time; the model annotates the chosen ones.
"""

import argparse
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ner_zoo.bulk.local_engine import LocalEngine
from ner_zoo.bulk.progress import Progress
from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Annotated, WorkerSettings
from ner_zoo.workbench.scoring_worker import key_of
from ner_zoo.workbench.selection import SelectionOptions
from ner_zoo.workbench.suggest import SuggestTask, suggest

FIRST, LAST = ("Ada", "Edda", "Mira", "Tom", "Jane", "Odo"), ("Roe", "Voss", "Hale", "Prask", "Lindqvist")
VERBS = ("sang", "left", "met", "saw", "sold")


def write_rows(path: Path, rows: int) -> None:
    draw = random.Random(0)
    with path.open("w") as file:
        for _ in range(rows):
            name = f"{draw.choice(FIRST)} {draw.choice(LAST)} {draw.choice(VERBS)}"
            file.write(f"{name} {''.join(draw.choices('abcdefghij', k=6))}\n")


class RandomWorker:
    """Stands for a model that is very fast."""

    def __init__(self, settings: WorkerSettings) -> None:
        self.draw = random.Random(1)

    def __call__(self, chunk: Chunk) -> Annotated:
        lines = []
        for row in chunk.rows:
            words = row.decode().split()
            type = self.draw.choice(("LOC", "ORG", "PER", "PROD"))
            record = {"numbers": [self.draw.random()], "tokens": len(words), "type": type, "key": key_of(words)}
            lines.append(json.dumps(record).encode() + b"\n")
        return Annotated(chunk.number, lines, 0, 0, chunk.share, chunk.first)


def measure(archive: str, rows: int) -> dict[str, Any]:
    """In this process, which has done nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rows.txt"
        write_rows(source, rows)
        task = SuggestTask(archive, [str(source)], f"{folder}/next.jsonl", SelectionOptions(200), rows_per_part=5000)
        started = time.process_time()
        count = suggest(task, LocalEngine(task.worker_settings(), 0, RandomWorker), Progress(stream=io.StringIO()))
        return {
            "rows": rows,
            "suggested": count,
            "cpu_seconds": round(time.process_time() - started),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "input_mb": os.path.getsize(source) // 2**20,
        }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.suggest_memory", description=__doc__)
    parser.add_argument("archive")
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if arguments.output is None:
        print(json.dumps(measure(arguments.archive, arguments.rows[0])))
        return
    command = [sys.executable, "-W", "ignore", "-m", "results.suggest_memory", arguments.archive]
    runs = [
        json.loads(subprocess.run([*command, str(rows)], check=True, capture_output=True, text=True).stdout)
        for rows in arguments.rows
    ]
    arguments.output.write_text(json.dumps({"runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
