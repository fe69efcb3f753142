"""Helpers for the examples: an output folder, and commands that are printed before they run."""

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "fixtures" / "demo"
HEADER = """
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
"""


def folder() -> Path:
    """The folder given on the command line, or a new temporary one."""
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="ner_zoo_example_"))
    place.mkdir(parents=True, exist_ok=True)
    return place


def allennlp(*words: str | Path) -> None:
    """Print a command as you would type it, and run it."""
    command = ["allennlp", *map(str, words)]
    print("\n$", shlex.join(command), flush=True)
    subprocess.run([sys.executable, "-m", *command], check=True)


def write_config(path: Path, text: str) -> Path:
    path.write_text(HEADER + text, encoding="utf-8")
    return path


def scores(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))
