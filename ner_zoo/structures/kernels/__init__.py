"""
The loops over a chain, compiled for the CPU.

Labels are reordered so that the legal followers of each label lie side by side (see `ChainConstraints`): the inner
loops run over those only, and over memory in order. Nothing is done for padding. The rows of all sentences follow each
other, `(sum of lengths, labels)`, in the order of the batch.

Compiled code is kept on disk for as long as its own file is unchanged: a loop must not call one of another file, whose
changes would go unnoticed. The loops of a file, and the compiler with them, are loaded when one of them is first used.
What numpy does well outside a loop (sorting, above all) stays outside: compiling it takes seconds.

None of the loops keeps a state or starts a thread, so that they may be called from any number of threads at once.
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
