"""
Fast dropout: on the CPU, torch's dropout takes a tenth of a training step.

Whether a value is dropped is a function of its position and of two numbers drawn once per call: a 32-bit hash below p
drops it. So a compiled loop draws and drops in one pass, and the backward pass repeats the loop instead of storing a
mask.
"""

from typing import Any

import numpy as np
import torch
from numba import njit
from numpy import ndarray
from overrides import overrides
from torch import Tensor

LEVELS = 1 << 32


class Dropout(torch.nn.Dropout):
    """Drop-in replacement for torch's Dropout, with the same arguments, on any device."""

    @overrides(check_signature=False)
    def forward(self, input: Tensor) -> Tensor:
        dropped = round(self.p * LEVELS)
        is_compiled = input.device.type == "cpu" and input.dtype in (torch.float32, torch.float64)
        if not self.training or not 0 < dropped < LEVELS or not is_compiled:
            return super().forward(input)
        first, second = torch.empty(2, dtype=torch.int64).random_(LEVELS).tolist()
        return _Drop.apply(input, np.uint32(first), np.uint32(second), np.uint32(dropped), LEVELS / (LEVELS - dropped))


class _Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, *draw: Any) -> Tensor:
        ctx.draw = draw
        values = values.contiguous()
        kept = torch.empty_like(values)
        _drop(values.view(-1).numpy(), *draw, kept.view(-1).numpy())
        return kept

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        return _Drop.apply(gradient, *ctx.draw), None, None, None, None


@njit(cache=True, error_model="numpy")
def _drop(
    values: ndarray, first: np.uint32, second: np.uint32, dropped: np.uint32, scale: float, kept: ndarray
) -> None:
    factor, none = values.dtype.type(scale), values.dtype.type(0.0)
    for at in range(values.shape[0]):
        # Multiplications and shifts in which every bit of the position changes each bit of the hash half of the time.
        bits = np.uint32(np.uint32(at) * np.uint32(0x9E3779B9) + first)
        bits = np.uint32((bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D))
        bits = np.uint32((bits ^ (bits >> np.uint32(15)) ^ second) * np.uint32(0x846CA68B))
        bits = np.uint32(bits ^ (bits >> np.uint32(16)))
        kept[at] = values[at] * factor if bits >= dropped else none
