"""
Reuses the folder of a run that failed before the end of its first epoch; keeps any other.

A run holds a shared lock on its folder, so that a run still in its first epoch is not mistaken for a failed one.
"""

import fcntl
import functools
import logging
import os
import shutil
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from allennlp.common.checks import ConfigurationError

if TYPE_CHECKING:
    from allennlp.common import Params

logger = logging.getLogger(__name__)

CONFIG = "config.json"
# Files that a run writes before its first epoch ends.
EARLY = {CONFIG, "meta.json", "out.log", "err.log", "vocabulary", "log"}

# The locks of this process, by folder; released when the process ends.
held: dict[str, int] = {}


def lock(folder: Path, kind: int) -> bool:
    """Locks a folder, unless another process holds a conflicting lock."""
    name = str(folder.resolve())
    if name in held:
        os.close(held.pop(name))
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return False
    held[name] = descriptor
    return True


def is_of_a_failed_run(folder: Path) -> bool:
    """Whether a folder contains only files from before the end of a first epoch, and no run is using it."""
    found = {path.name for path in folder.iterdir() if not path.name.startswith(("out_worker", "err_worker"))}
    return CONFIG in found and found <= EARLY and lock(folder, fcntl.LOCK_EX)


def reuse_folders_of_failed_runs(util: ModuleType) -> None:
    original = util.create_serialization_dir

    @functools.wraps(original)
    def create_serialization_dir(params: "Params", serialization_dir: Any, recover: bool, force: bool) -> None:
        folder = Path(serialization_dir)
        if not (recover or force) and folder.is_dir() and any(folder.iterdir()):
            if not is_of_a_failed_run(folder):
                raise ConfigurationError(
                    f"The folder {folder} already exists and is not empty. Choose another one with -s, resume its run "
                    f"with --recover, or delete it and start over with --force."
                )
            logger.warning("%s contains a run that did not finish its first epoch. Overwriting it.", folder)
            shutil.rmtree(folder)
        original(params, serialization_dir, recover, force)
        lock(folder, fcntl.LOCK_SH)

    util.create_serialization_dir = create_serialization_dir  # type: ignore[attr-defined]
