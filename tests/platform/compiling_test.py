import os
import subprocess
import sys
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
