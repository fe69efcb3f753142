"""
Writes checkpoints atomically: a run can be resumed after any kill or full disk.

AllenNLP writes two files in place. A run that is killed while writing leaves a truncated file, or only one of the two,
and cannot be recovered. Here each file is written under a temporary name and moved into place, the training state last,
and only a checkpoint with both files counts. In distributed training the first worker writes both files for all; here
every other worker adds its own part, and the first waits for them before it writes the training state. A checkpoint
that was damaged later, on a bad disk or during a copy, is skipped with a warning, and the previous one is used.
"""

import errno
import logging
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import is_distributed
from allennlp.training.checkpointer import Checkpointer
from allennlp.training.trainer import Trainer, TrainerCheckpoint

from ner_zoo.platform.atomic_files import UNFINISHED, replacing

logger = logging.getLogger(__name__)

# Raised by torch and pickle for truncated or modified files.
DAMAGED = (RuntimeError, EOFError, pickle.UnpicklingError, OSError, KeyError, ValueError, AttributeError, IndexError)


def write(content: Any, path: str) -> None:
    try:
        with (
            replacing(path) as unfinished,
            open(unfinished, "wb") as file,
        ):  # an open file reports why it cannot be written
            torch.save(content, file)
    except OSError as error:
        Path(f"{path}{UNFINISHED}").unlink(missing_ok=True)
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        folder = os.path.dirname(path)
        raise ConfigurationError(
            f"The disk is full: {path} cannot be written. Earlier checkpoints are intact. Free some space, and resume "
            f"with `allennlp train CONFIG -s {folder} --recover`."
        ) from error


def read(checkpointer: Checkpointer, point: tuple[int, int]) -> TrainerCheckpoint:
    """
    The weights file contains weights only. The training state also holds whatever the schedulers and callbacks of the
    run store. It is read only from the user's own run.
    """
    model_path, training_path = checkpointer._model_state_path(*point), checkpointer._training_state_path(*point)
    model_state = torch.load(model_path, map_location="cpu", weights_only=True)
    return TrainerCheckpoint(model_state, torch.load(training_path, map_location="cpu", weights_only=False))


def load_checkpoint(checkpointer: Checkpointer) -> TrainerCheckpoint | None:
    """Replaces AllenNLP's method of this name: loads the newest checkpoint that can be read."""
    checkpointer._damaged = set()
    points = sorted(checkpointer._find_all_checkpoints(), reverse=True)
    for point in points:
        try:
            return read(checkpointer, point)
        except DAMAGED as error:
            checkpointer._damaged.add(point)
            path = checkpointer._training_state_path(*point)
            logger.warning("The checkpoint %s cannot be read (%s). Using the previous one.", path, error)
    if points:
        raise ConfigurationError(
            f"None of the {len(points)} checkpoints in {checkpointer._serialization_dir} can be read. Start over with "
            "`allennlp train CONFIG -s FOLDER --force`, which deletes them."
        )
    return None


def worker_path(checkpointer: Checkpointer, epochs: int, batches: int) -> str:
    """The file for the part of a worker other than the first; its name makes AllenNLP delete it with the checkpoint."""
    path = Path(checkpointer._training_state_path(epochs, batches))
    return str(path.with_name(f"{path.stem}_w{checkpointer._rank}{path.suffix}"))


def part_of_worker(checkpointer: Checkpointer, epochs: int, batches: int) -> Any:
    """The state that a worker other than the first stored for itself, or `None`."""
    path = worker_path(checkpointer, epochs, batches)
    if checkpointer._is_primary or checkpointer.state_is_sharded or not os.path.isfile(path):
        return None
    return torch.load(path, map_location="cpu", weights_only=False)


def write_whole_checkpoints(part_to_keep: Callable[[Trainer], Any]) -> None:
    """Makes every `Checkpointer` write this way; `part_to_keep` returns what a worker stores for itself, or `None`."""
    original_save = Checkpointer.save_checkpoint
    original_find = Checkpointer._find_all_checkpoints

    def save_checkpoint(self: Checkpointer, trainer: Trainer) -> None:
        if self._serialization_dir is None:
            return
        state = trainer.get_checkpoint_state()
        part = part_to_keep(trainer)
        if state is not None:
            point = state.trainer_state["epochs_completed"], state.trainer_state["batches_in_epoch_completed"]
            getattr(self, "_damaged", set()).discard(point)
            write(state.model_state, self._model_state_path(*point))
        elif part is not None:
            point = part.epochs_completed, part.batches_in_epoch_completed
            write(part, worker_path(self, *point))
            # AllenNLP keeps this bookkeeping in the first worker only; the other workers would save at other batches.
            self._last_save_num_epochs_completed, self._last_save_num_batches_in_epoch_completed = point
        if part is not None and is_distributed() and not self.state_is_sharded:
            torch.distributed.barrier()
        if state is not None:
            write(state.trainer_state, self._training_state_path(*point))
        # Both files are already written, so this only does the bookkeeping and deletes old checkpoints.
        original_save(self, trainer)

    def find_all_checkpoints(self: Checkpointer) -> set[tuple[int, int]]:
        found = {point for point in original_find(self) if os.path.isfile(self._training_state_path(*point))}
        return found - getattr(self, "_damaged", set())

    Checkpointer.load_checkpoint = load_checkpoint
    Checkpointer.save_checkpoint = save_checkpoint
    Checkpointer._find_all_checkpoints = find_all_checkpoints
