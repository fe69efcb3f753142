"""
The memory use of `suggest` for few rows and for a million.

    python -m results.suggest_memory 20000 1000000 -o docs/results/labels/suggest_memory.json

A small tagger is trained on the bundled corpus. Then the command itself runs for each number of rows, without workers,
so that the peak of its process is that of everything: interpreter, torch, model, rows. The rows are short, all
different, and drawn with a seed.
"""

import argparse
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

from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.params import evaluate_snippet

from results.comparison import ROOT

FIRST, LAST = ("Ada", "Edda", "Mira", "Tom", "Jane", "Odo"), ("Roe", "Voss", "Hale", "Prask", "Lindqvist")
VERBS = ("sang", "left", "met", "saw", "sold")
TAGGER = "use.tagger + use.words(dim=16) + use.bilstm(16) + use.crf + use.nll"
COUNT = 200


def trained(folder: Path) -> str:
    demo = ROOT / "fixtures" / "demo"
    text = (
        "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet';"
        f"experiment + use.corpus('span_json', '{demo}/train.jsonl', '{demo}/dev.jsonl') + {TAGGER}"
        " + { trainer+: { num_epochs: 3, optimizer+: { lr: 0.02 } } }"
    )
    config = json.loads(evaluate_snippet("tagger.jsonnet", text))
    train_model(Params(config), str(folder / "model"), force=True)
    return str(folder / "model" / "model.tar.gz")


def write_rows(path: Path, rows: int) -> None:
    draw = random.Random(0)
    with path.open("w") as file:
        for _ in range(rows):
            name = f"{draw.choice(FIRST)} {draw.choice(LAST)} {draw.choice(VERBS)}"
            file.write(f"{name} {''.join(draw.choices('abcdefghij', k=6))}\n")


def measure(archive: str, rows: int, folder: Path) -> dict[str, Any]:
    """Measured in a process that has only run the command."""
    source, output = folder / f"{rows}.txt", folder / f"next_{rows}.jsonl"
    write_rows(source, rows)
    command = [archive, str(source), "-n", str(COUNT), "-o", str(output), "--workers", "0"]
    started = time.time()
    # Only the parent sees a child's peak, and only the largest so far: so each child gets its own parent.
    found = subprocess.run(
        [sys.executable, "-m", "results.suggest_memory", "--peak", *command], check=True, stdout=subprocess.PIPE
    )
    return {
        "rows": rows,
        "suggested": sum(1 for _ in output.open()),
        "seconds": round(time.time() - started),
        **json.loads(found.stdout),
        "input_mb": round(os.path.getsize(source) / 2**20, 1),
    }


def print_peak(arguments: list[str]) -> None:
    """Runs the command, and prints its peak memory and its processor time."""
    subprocess.run([sys.executable, "-m", "allennlp", "suggest", *arguments], check=True, stdout=sys.stderr)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"peak_mb": used.ru_maxrss // 1024, "cpu_seconds": round(used.ru_utime + used.ru_stime)}))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.suggest_memory", description=__doc__)
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = trained(Path(folder))
        runs = [measure(archive, rows, Path(folder)) for rows in arguments.rows]
    arguments.output.write_text(json.dumps({"count": COUNT, "runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        print_peak(sys.argv[2:])
    else:
        main()
