"""
Which labels may follow which: the legality of a chain, worked out once per model and not once per batch.
"""

from typing import Dict, Tuple

import torch
from torch import BoolTensor, Tensor


class ChainConstraints:
    """
    transitions : `(labels, labels)`, true where the second label may follow the first.
    start : `(labels,)`, true where a sentence may begin with the label.
    end : `(labels,)`, true where a sentence may end with the label.
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
        self._forbidden: Dict[torch.device, Tuple[Tensor, Tensor, Tensor]] = {}

    @classmethod
    def none(cls, labels: int) -> "ChainConstraints":
        """Everything is legal."""
        return cls(
            torch.ones(labels, labels, dtype=torch.bool),
            torch.ones(labels, dtype=torch.bool),
            torch.ones(labels, dtype=torch.bool),
        )

    def forbidden(self, device: torch.device) -> Tuple[Tensor, Tensor, Tensor]:
        """What is not legal of transitions, starts and ends, on the device of the scores."""
        if device not in self._forbidden:
            self._forbidden[device] = tuple(~legal.to(device) for legal in (self.transitions, self.start, self.end))
        return self._forbidden[device]
