"""
Runs Adam as one fused operation per parameter. On the CPU, torch's default uses about fifteen small operations, a tenth
of the training step of a BiLSTM.
"""

import functools
from types import ModuleType
from typing import Any


def fuse_adam(optimizers: ModuleType) -> None:
    """Makes AllenNLP's `adam` and `adamw` fused; options and checkpoints are unchanged."""
    for optimizer in (optimizers.AdamOptimizer, optimizers.AdamWOptimizer):
        optimizer.__init__ = fusing(optimizer.__init__)


def fusing(original: Any) -> Any:
    @functools.wraps(original)
    def __init__(self: Any, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **options)
        parameters = [parameter for group in self.param_groups for parameter in group["params"]]
        if all(parameter.device.type == "cpu" and parameter.is_floating_point() for parameter in parameters):
            for group in self.param_groups:
                group["fused"] = True

    return __init__
