"""
A checkpoint is whole or not there: whatever kills a run, the newest checkpoint can be read.

AllenNLP writes two files in place, so that a run killed while it writes leaves half a file, or one of two, and cannot
be recovered. Here each file is written beside its place and moved into it, the training state last, and only a
checkpoint with both counts. Of several workers the first writes both files for all; here each of the others adds the
part that is its own, and the first one waits for them before it writes the training state.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed
from allennlp.common.util import is_distributed
from allennlp.training.checkpointer import Checkpointer
from allennlp.training.trainer import Trainer

from ner_zoo.platform.atomic_files import replacing


def write(content: Any, path: str) -> None:
    with replacing(path) as unfinished:
        torch.save(content, unfinished)


def worker_path(checkpointer: Checkpointer, epochs: int, batches: int) -> str:
    """Where a worker other than the first keeps its part; AllenNLP deletes it with the checkpoint, by its name."""
    path = Path(checkpointer._training_state_path(epochs, batches))
    return str(path.with_name(f"{path.stem}_w{checkpointer._rank}{path.suffix}"))


def part_of_worker(checkpointer: Checkpointer, epochs: int, batches: int) -> Any:
    """What a worker other than the first has kept for itself, or `None`."""
    path = worker_path(checkpointer, epochs, batches)
    if checkpointer._is_primary or checkpointer.state_is_sharded or not os.path.isfile(path):
        return None
    return torch.load(path, map_location="cpu", weights_only=False)


def write_whole_checkpoints(part_to_keep: Callable[[Trainer], Any]) -> None:
    """Makes every `Checkpointer` write this way; `part_to_keep` gives what a worker keeps for itself, or `None`."""
    original_save = Checkpointer.save_checkpoint
    original_find = Checkpointer._find_all_checkpoints

    def save_checkpoint(self: Checkpointer, trainer: Trainer) -> None:
        if self._serialization_dir is None:
            return
        state = trainer.get_checkpoint_state()
        part = part_to_keep(trainer)
        if state is not None:
            point = state.trainer_state["epochs_completed"], state.trainer_state["batches_in_epoch_completed"]
            write(state.model_state, self._model_state_path(*point))
        elif part is not None:
            point = part.epochs_completed, part.batches_in_epoch_completed
            write(part, worker_path(self, *point))
            # AllenNLP keeps these books in the first worker only, and the others would save at other batches.
            self._last_save_num_epochs_completed, self._last_save_num_batches_in_epoch_completed = point
        if part is not None and is_distributed() and not self.state_is_sharded:
            torch.distributed.barrier()
        if state is not None:
            write(state.trainer_state, self._training_state_path(*point))
        # Finds both files written, so it only does its books and deletes what is too old.
        original_save(self, trainer)

    def find_all_checkpoints(self: Checkpointer) -> set[tuple[int, int]]:
        return {point for point in original_find(self) if os.path.isfile(self._training_state_path(*point))}

    Checkpointer.save_checkpoint = save_checkpoint
    Checkpointer._find_all_checkpoints = find_all_checkpoints
