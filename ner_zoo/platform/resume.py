"""
Makes an interrupted and recovered run produce exactly the same result as an uninterrupted one.

AllenNLP's checkpoint contains the weights and the optimizer. With `--recover` training continues, but as a different
run: the random generators start over, the batches come in another order, the loss and metrics of the interrupted epoch
start at zero, a moving average follows copies of the parameters, and the best weights so far may be lost. Here a
checkpoint also contains a `Progress`:

- at the end of an epoch, the random state; finished epochs are skipped without reading their data again;
- within an epoch, also the random state at its start, from which its batches are drawn again in the same order up to
  the checkpoint, and the loss and metrics so far.

Each worker of a distributed run stores its own. If worker processes load the data (`num_workers`), AllenNLP takes
instances in the order in which they arrive, so no two runs are identical, recovered or not.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from allennlp.data import DataLoader, TensorDict
from allennlp.nn.util import dist_reduce_sum
from allennlp.training import Trainer
from allennlp.training import util as training_util
from allennlp.training.callbacks import ShouldValidateCallback, TrackEpochCallback
from allennlp.training.moving_average import MovingAverage
from allennlp.training.trainer import TrainerCheckpoint
from overrides import overrides

from ner_zoo.platform import checkpoints
from ner_zoo.platform.divergence import CheckedTrainer
from ner_zoo.platform.epoch_totals import EpochTotals, counts, restore_counts
from ner_zoo.platform.independent_validation import independent_validation
from ner_zoo.platform.loader_position import LoaderPosition
from ner_zoo.platform.random_state import RandomState


@dataclass
class ResumePoint:
    """A point in training from which batches and noise can be reproduced."""

    random: RandomState
    positions: list[LoaderPosition | None]

    @classmethod
    def now(cls, loaders: list[DataLoader | None]) -> "ResumePoint":
        return cls(RandomState.now(), [LoaderPosition.of(loader) for loader in loaders])

    def restore(self, loaders: list[DataLoader | None]) -> None:
        for position, loader in zip(self.positions, loaders):
            if position is not None:
                position.restore(loader)
        self.random.restore()


@dataclass
class Progress:
    """The state that AllenNLP's checkpoint leaves out."""

    epochs_completed: int
    batches_in_epoch_completed: int
    total_batches_completed: int
    now: ResumePoint
    epoch_start: ResumePoint
    loss: float
    regularization: float | None
    counts: dict[str, bytes]
    frozen: list[str]
    is_best: bool  # the best weights may not have been written yet
    scaler: dict[str, Any] | None


class LoaderWithRestart:
    """A data loader that calls `restart` between the replayed batches and the new ones."""

    def __init__(self, loader: DataLoader, batches: int, restart: Callable[[], None]) -> None:
        self.loader = loader
        self.batches = batches
        self.restart = restart

    def __iter__(self) -> Iterator[TensorDict]:
        iterator = iter(self.loader)
        yield from islice(iterator, self.batches)
        self.restart()
        yield from iterator

    def __len__(self) -> int:
        return len(self.loader)


@Trainer.register("gradient_descent", constructor="from_partial_objects", exist_ok=True)
class ResumableTrainer(CheckedTrainer):
    """Replaces AllenNLP's trainer, with checkpoints from which training resumes exactly."""

    data_loader: DataLoader
    _epoch_start: ResumePoint
    _totals: EpochTotals
    _progress: Progress | None = None  # to be restored

    @property
    def _loaders(self) -> list[DataLoader | None]:
        return [self.data_loader, self._validation_data_loader]

    def progress(self) -> Progress:
        in_epoch = self._batches_in_epoch_completed > 0
        now = ResumePoint.now(self._loaders)
        return Progress(
            epochs_completed=self._epochs_completed,
            batches_in_epoch_completed=self._batches_in_epoch_completed,
            total_batches_completed=self._total_batches_completed,
            now=now,
            epoch_start=self._epoch_start if in_epoch else now,
            loss=self._totals.loss if in_epoch else 0.0,
            regularization=self._totals.regularization if in_epoch else None,
            counts=counts(self.model),
            frozen=[name for name, parameter in self.model.named_parameters() if not parameter.requires_grad],
            is_best=not in_epoch and self._should_validate_this_epoch and self._metric_tracker.is_best_so_far(),
            scaler=self._scaler.state_dict() if self._scaler is not None else None,
        )

    @overrides
    def get_checkpoint_state(self) -> TrainerCheckpoint | None:
        state = super().get_checkpoint_state()
        if state is not None:
            state.trainer_state["progress"] = self.progress()
        return state

    @overrides
    def _maybe_restore_checkpoint(self) -> None:
        checkpointer = self._checkpointer
        checkpoint = checkpointer.load_checkpoint() if checkpointer is not None else None
        if checkpointer is None or checkpoint is None:
            super()._maybe_restore_checkpoint()
            return
        checkpointer.load_checkpoint = lambda: checkpoint  # read only once
        try:
            super()._maybe_restore_checkpoint()
        finally:
            del checkpointer.load_checkpoint
        point = self._start_after_epochs_completed, self._start_after_batches_in_epoch_completed
        checkpointer._last_save_num_epochs_completed, checkpointer._last_save_num_batches_in_epoch_completed = point
        self._progress = checkpoints.part_of_worker(checkpointer, *point) or checkpoint.trainer_state.get("progress")
        self._find_best_weights()

    def _find_best_weights(self) -> None:
        """AllenNLP writes the best weights after the checkpoint, which therefore refers to earlier ones or none."""
        is_sharded = self._ddp_wrapped_model is not None and self._ddp_wrapped_model.is_sharded
        path = os.path.join(self._serialization_dir, f"best_w{self._rank}.th" if is_sharded else "best.th")
        is_best = self._progress is not None and self._progress.is_best
        if is_best and (self._primary or is_sharded):
            with self._averaged_parameters():
                self._save_model_state(path)
        if is_best or (self._metric_tracker.best_epoch is not None and os.path.exists(path)):
            self._best_model_filename = path

    @overrides
    def _save_model_state(self, path: str) -> None:
        model = self._ddp_wrapped_model if self._ddp_wrapped_model is not None else self.model
        checkpoints.write(model.state_dict(), path)

    @contextmanager
    def _averaged_parameters(self) -> Iterator[None]:
        if self._moving_average is not None:
            self._moving_average.assign_average_value()
        try:
            yield
        finally:
            if self._moving_average is not None:
                self._moving_average.restore()

    @overrides
    def _try_train(self) -> tuple[dict[str, Any], int]:
        epochs = self._start_after_epochs_completed
        if self._progress is not None and epochs > 0:
            for callback in self._callbacks:
                # Their `on_start` treats the run as a new one.
                if isinstance(callback, (TrackEpochCallback, ShouldValidateCallback)):
                    callback.on_epoch(self, metrics={}, epoch=epochs - 1)
            if self._metric_tracker.should_stop_early():
                self._num_epochs = epochs
        metrics, epoch = super()._try_train()
        if self._progress is not None and epochs > 0:
            # No epoch was left to train, so the results are those of the last one.
            written = Path(self._serialization_dir) / f"metrics_epoch_{epochs - 1}.json"
            metrics = {**json.loads(written.read_text()), **metrics}
        return metrics, epoch

    @overrides
    def _train_epoch(self, epoch: int) -> dict[str, float]:
        if self._progress is not None and self._epochs_completed < self._start_after_epochs_completed:
            return {}
        progress, self._progress = self._progress, None
        if progress is not None:
            self._restore(progress)
        begun = progress if progress is not None and progress.batches_in_epoch_completed > 0 else None
        self._epoch_start = ResumePoint.now(self._loaders) if begun is None else begun.epoch_start
        self._totals = EpochTotals() if begun is None else EpochTotals(begun.loss, begun.regularization)
        self._callbacks.append(self._totals)
        try:
            return super()._train_epoch(epoch) if begun is None else self._train_rest_of_epoch(epoch, begun)
        finally:
            self._callbacks.remove(self._totals)

    @overrides
    def _validation_loss(self, epoch: int) -> tuple[float, float | None, int]:
        with independent_validation(self):
            return super()._validation_loss(epoch)

    def _restore(self, progress: Progress) -> None:
        is_in_epoch = progress.batches_in_epoch_completed > 0
        (progress.epoch_start if is_in_epoch else progress.now).restore(self._loaders)
        # The trainer counts the replayed batches a second time.
        self._total_batches_completed = progress.total_batches_completed - progress.batches_in_epoch_completed
        restore_counts(self.model, progress.counts)
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad_(name not in progress.frozen)
        if self._scaler is not None and progress.scaler is not None:
            self._scaler.load_state_dict(progress.scaler)

    def _train_rest_of_epoch(self, epoch: int, progress: Progress) -> dict[str, float]:
        loader = self.data_loader
        drawn_again = progress.batches_in_epoch_completed * self._num_gradient_accumulation_steps
        self.data_loader = LoaderWithRestart(loader, drawn_again, progress.now.random.restore)
        try:
            metrics = super()._train_epoch(epoch)
        finally:
            self.data_loader = loader
        batches = dist_reduce_sum(self._batches_in_epoch_completed)
        loss = dist_reduce_sum(self._totals.loss)
        regularization = self._totals.regularization
        if regularization is not None:
            regularization = dist_reduce_sum(regularization)
        if "loss" not in metrics:
            # All batches of the epoch had been trained on: AllenNLP treats it as a skipped epoch.
            return {**training_util.get_metrics(self.model, loss, regularization, None, None, batches, True), **metrics}
        metrics["loss"] = float(loss / batches)
        if regularization is not None:
            metrics["reg_loss"] = float(regularization / batches)
        return metrics


def keep_parameters_of_moving_average() -> None:
    """AllenNLP's `MovingAverage` also loads the parameters, and then averages copies that are not trained."""

    def load_state_dict(self: MovingAverage, state_dict: dict[str, Any]) -> None:
        for name in self._shadows:
            self._shadows[name].copy_(state_dict["shadows"][name])
            self._backups[name].copy_(state_dict["backups"][name])

    MovingAverage.load_state_dict = load_state_dict


def progress_of_worker(trainer: Trainer) -> Progress | None:
    return trainer.progress() if isinstance(trainer, ResumableTrainer) else None


def make_training_resumable(training: ModuleType) -> None:
    """Makes checkpoints contain what `ResumableTrainer` needs, which replaces AllenNLP's trainer."""
    checkpoints.write_whole_checkpoints(progress_of_worker)
    keep_parameters_of_moving_average()
