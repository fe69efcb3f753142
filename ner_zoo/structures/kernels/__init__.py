"""
Loops over a chain, compiled for the CPU.

Labels are reordered so that the legal followers of each label are contiguous (see `ChainConstraints`): the inner loops
visit only those, in memory order. Padding is skipped. The rows of all sentences are concatenated, `(sum of lengths,
labels)`, in batch order.

Compiled code is cached on disk until its own file changes: a loop must not call one from another file, whose changes
would go unnoticed. The loops of a file, and the compiler, are loaded on first use. Operations that numpy does well
outside a loop (especially sorting) stay outside, because compiling them takes seconds.

The loops are stateless and start no threads, so they can be called from any number of threads at once.
"""

import importlib
from typing import Any

FILES = {
    "backward": ("backward_sums", "spread"),
    "chunks": ("chunk_probabilities",),
    "entropy": ("chain_entropy",),
    "sampling": ("draw",),
    "forward": ("forward_sums",),
    "labelling": ("labelling_gradient", "labelling_score", "lengths_of"),
    "search": ("best_labelling", "n_best_labellings"),
}


def __getattr__(name: str) -> Any:
    for file, loops in FILES.items():
        if name in loops:
            return getattr(importlib.import_module(f"{__name__}.{file}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
