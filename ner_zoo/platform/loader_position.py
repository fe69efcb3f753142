"""
The position of a data loader between two epochs.

A loader that iterates over its data once per epoch is at the start. One with `batches_per_epoch` continues where the
last epoch stopped: it is some number of batches into a pass whose order was drawn when the pass began.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from types import ModuleType

from allennlp.data import DataLoader, TensorDict
from allennlp.data.data_loaders import MultiProcessDataLoader

from ner_zoo.platform.random_state import RandomState


@dataclass
class LoaderPosition:
    pass_start: RandomState
    batches: int

    @classmethod
    def of(cls, loader: DataLoader | None) -> "LoaderPosition | None":
        in_mid_pass = getattr(loader, "_batch_generator", None) is not None
        position = getattr(loader, "_position", None)
        return cls(position.pass_start, position.batches) if in_mid_pass and position is not None else None

    def restore(self, loader: MultiProcessDataLoader) -> None:
        """Draws the pass again; leaves the random generators in whatever state results."""
        self.pass_start.restore()
        generator = loader._iter_batches()
        for _ in islice(generator, self.batches):
            pass
        loader._batch_generator = generator


def remember_positions(data: ModuleType) -> None:
    """Makes loaders with `batches_per_epoch` remember their position."""
    original = MultiProcessDataLoader._iter_batches

    def iter_batches(self: MultiProcessDataLoader) -> Iterator[TensorDict]:
        if self.batches_per_epoch is None:
            yield from original(self)
            return
        self._position = LoaderPosition(RandomState.now(), 0)
        for batch in original(self):
            self._position.batches += 1
            yield batch

    MultiProcessDataLoader._iter_batches = iter_batches
