"""
A lazy stand-in for transformers' Adafactor. AllenNLP subclasses it at import time; the real class is loaded on
instantiation.
"""

from typing import Any

import torch


class Adafactor(torch.optim.Optimizer):
    """Placeholder base class that is replaced by the real one when a subclass is instantiated."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        from transformers import Adafactor as RealAdafactor

        for cls in type(self).__mro__:
            if Adafactor in cls.__bases__:
                cls.__bases__ = tuple(RealAdafactor if base is Adafactor else base for base in cls.__bases__)
        RealAdafactor.__init__(self, *arguments, **options)
