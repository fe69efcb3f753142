"""
Dropout with four draws from one random number: on the CPU torch draws one for each value, a tenth of a training step.

A value is dropped if its 16 bits are below p; the rest are scaled so that means stay exactly as they are.
"""

import torch
from overrides import overrides
from torch import Tensor

LEVELS = 1 << 16


class Dropout(torch.nn.Dropout):
    """As torch's, of which it has the arguments, for any device."""

    @overrides(check_signature=False)
    def forward(self, input: Tensor) -> Tensor:
        dropped = round(self.p * LEVELS)
        if not self.training or not 0 < dropped < LEVELS or input.device.type != "cpu":
            return super().forward(input)
        # All 64 bits: without bounds the highest would always be 0.
        drawn = torch.empty((input.numel() + 3) // 4, dtype=torch.int64).random_(-(1 << 63), None)
        is_kept = drawn.view(torch.int16)[: input.numel()] >= dropped - LEVELS // 2
        return input * is_kept.to(input.dtype).mul_(LEVELS / (LEVELS - dropped)).view_as(input)
