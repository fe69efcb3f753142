"""The state of every random generator used in training: Python's, NumPy's and torch's, on all devices."""

import random
from dataclasses import dataclass
from typing import Any

import numpy
import torch
from torch import Tensor


@dataclass(frozen=True)
class RandomState:
    python: tuple[Any, ...]
    numpy: tuple[Any, ...]
    torch: Tensor
    cuda: list[Tensor]

    @classmethod
    def now(cls) -> "RandomState":
        cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
        return cls(random.getstate(), numpy.random.get_state(), torch.get_rng_state(), cuda)  # type: ignore[arg-type]

    def restore(self) -> None:
        random.setstate(self.python)
        numpy.random.set_state(self.numpy)
        torch.set_rng_state(self.torch)
        if len(self.cuda) == torch.cuda.device_count():
            torch.cuda.set_rng_state_all(self.cuda)
