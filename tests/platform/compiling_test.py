import os
import subprocess
import sys
from functools import partial
from pathlib import Path

CODE = """
import torch, ner_zoo
from ner_zoo.structures import kernels
kernels.lengths_of(torch.ones(1, 2, dtype=torch.bool).numpy())
"""


def test_compiling_is_announced_once_and_only_where_there_is_something_to_compile(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    runs = [subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment) for _ in "12"]
    first, second = (run.stderr for run in runs)
    assert first.count("Compiling") == 1 and second == ""


def test_loops_give_the_same_numbers_whether_they_were_just_compiled_or_loaded(tmp_path: Path) -> None:
    script = Path(__file__).parents[1] / "compiled_loops.py"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    run = partial(subprocess.run, [sys.executable, str(script)], capture_output=True, text=True, check=True)
    compiled, loaded = (run(env=environment) for _ in "12")
    assert "Compiling" in compiled.stderr and "Compiling" not in loaded.stderr
    assert compiled.stdout == loaded.stdout and compiled.stdout.count("\n") == 6
