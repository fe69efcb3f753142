"""Runs the named benchmarks, or all of them; prints a table and writes benchmarks/results.json."""

import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any

import torch

import benchmarks
from benchmarks.contest import CONTESTS

RESULTS = Path(__file__).parent / "results.json"
THREADS = 1


def main() -> None:
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name != "__main__":
            importlib.import_module(f"benchmarks.{module.name}")
    arguments = parse(sys.argv[1:])
    torch.set_num_threads(THREADS)
    print(f"{THREADS} thread, processor time, best of several interleaved rounds")
    print(f"{'':28}{'ours':>10}{'theirs':>10}{'ratio':>8}  unit  peer")
    for name in arguments.names or sorted(CONTESTS):
        torch.manual_seed(0)
        result = CONTESTS[name]().run(arguments.quick)
        print(
            f"{name:28}{result['ours']:10.3f}{result['theirs']:10.3f}{result['ratio']:8.2f}"
            f"  {result['unit']:4}  {result['peer']}",
            flush=True,
        )
        keep(name, result)


def parse(words: list) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"one of {', '.join(sorted(CONTESTS))}")
    parser.add_argument("--quick", action="store_true", help="three rounds instead of many")
    arguments = parser.parse_args(words)
    unknown = [name for name in arguments.names if name not in CONTESTS]
    if unknown:
        parser.error(f"There is no benchmark {unknown[0]!r}. Choose from: {', '.join(sorted(CONTESTS))}.")
    return arguments


def keep(name: str, result: dict[str, Any]) -> None:
    """Results of benchmarks that are not run this time are kept."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results[name] = result
    RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=2) + "\n")


if __name__ == "__main__":
    main()
