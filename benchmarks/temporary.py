"""Folders for the models and files of benchmarks, which are deleted when the program ends."""

import atexit
import shutil
import tempfile
from pathlib import Path


def temporary_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
