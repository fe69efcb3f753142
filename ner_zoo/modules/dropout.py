"""
Fast dropout that uses one random number for four values: on the CPU, torch's dropout takes a tenth of a training step.

A value is dropped if its 16 bits are below p; the others are scaled so that means are preserved exactly.
"""

import torch
from overrides import overrides
from torch import Tensor

LEVELS = 1 << 16


class Dropout(torch.nn.Dropout):
    """Drop-in replacement for torch's Dropout, with the same arguments, on any device."""

    @overrides(check_signature=False)
    def forward(self, input: Tensor) -> Tensor:
        dropped = round(self.p * LEVELS)
        if not self.training or not 0 < dropped < LEVELS or input.device.type != "cpu":
            return super().forward(input)
        # All 64 bits: without explicit bounds the highest bit would always be 0.
        drawn = torch.empty((input.numel() + 3) // 4, dtype=torch.int64).random_(-(1 << 63), None)
        is_kept = drawn.view(torch.int16)[: input.numel()] >= dropped - LEVELS // 2
        return input * is_kept.to(input.dtype).mul_(LEVELS / (LEVELS - dropped)).view_as(input)
