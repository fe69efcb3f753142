"""
Legal transitions of a chain, computed once per model instead of once per batch.

In a scheme like BIOUL only about a quarter of the transitions are legal. The compiled loops visit only those, which is
fast if the followers of a label are contiguous. Therefore labels that may follow the same labels are made adjacent: in
this `order` the legal followers of a label form one or two `runs`.
"""

from functools import lru_cache

import numpy as np
import torch
from numpy import ndarray
from torch import BoolTensor, Tensor


class ChainConstraints:
    """
    transitions : `(labels, labels)`, true where the second label may follow the first.
    start : `(labels,)`, true if a sentence may start with the label.
    end : `(labels,)`, true if a sentence may end with the label.

    order : `(labels,)`, the labels in the order of the compiled loops.
    runs : `(runs, 3)`, a label, its first follower and the end of the run, as positions in that order.
    penalties : `(2, labels)`, in that order, 0 or -inf to add to the scores of starting and ending with a label.
    """

    def __init__(self, transitions: BoolTensor, start: BoolTensor, end: BoolTensor) -> None:
        labels = transitions.shape[0]
        if transitions.shape != (labels, labels) or start.shape != (labels,) or end.shape != (labels,):
            raise ValueError(
                f"Constraints have shapes {tuple(transitions.shape)}, {tuple(start.shape)} and {tuple(end.shape)} for "
                "transitions, start and end; expected (labels, labels), (labels,) and (labels,)."
            )
        self.transitions = transitions.detach().cpu().bool()
        self.start = start.detach().cpu().bool()
        self.end = end.detach().cpu().bool()
        self.is_free = bool(self.transitions.all() and self.start.all() and self.end.all())
        self.order = _neighbours(self.transitions.numpy())
        self.runs = _runs(self.transitions.numpy()[self.order][:, self.order])
        ends = torch.stack([self.start, self.end]).numpy()[:, self.order]
        self.penalties = np.where(ends, 0.0, -np.inf)
        self._forbidden: dict[torch.device, tuple[Tensor, Tensor, Tensor]] = {}

    def forbidden(self, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
        """Masks of illegal transitions, starts and ends, on the device of the scores."""
        if device not in self._forbidden:
            self._forbidden[device] = tuple(~legal.to(device) for legal in (self.transitions, self.start, self.end))
        return self._forbidden[device]


@lru_cache(maxsize=64)
def no_constraints(labels: int) -> ChainConstraints:
    """Constraints that allow everything."""
    every = torch.ones(labels, dtype=torch.bool)
    return ChainConstraints(every.expand(labels, labels), every, every)


def _neighbours(legal: ndarray) -> ndarray:
    """The labels, sorted by which labels they may follow."""
    return np.lexsort(legal).astype(np.uint64)


def _runs(legal: ndarray) -> ndarray:
    """The runs of legal followers of each label."""
    edges = np.diff(legal.astype(np.int8), prepend=0, append=0)
    label, first = np.nonzero(edges == 1)
    _, last = np.nonzero(edges == -1)
    return np.stack([label, first, last], 1).astype(np.uint64)
