"""
A run has one thread, unless more are asked for or pay.

The matrices of an LSTM are small: a second thread wins little on a quiet machine, and on a busy one the two wait for
each other, and a run takes many times the processor time. Those of a pretrained encoder are large.
OMP_NUM_THREADS asks for more, or fewer.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any

ASKED = "OMP_NUM_THREADS"


def cores() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def has_encoder(config: Any) -> bool:
    """Whether a part of a config, however deep, is a pretrained transformer."""
    if isinstance(config, dict) and str(config.get("type", "")).startswith("pretrained_transformer"):
        return True
    parts = config.values() if isinstance(config, dict) else config if isinstance(config, list) else ()
    return any(has_encoder(part) for part in parts)


def threads_for(configs: Iterable[Any], jobs: int = 1) -> int:
    """How many threads a run of one of these configs gets, where so many are trained at once."""
    share = max(1, cores() // jobs)
    asked = os.environ.get(ASKED, "")
    if asked.isdigit():
        return min(share, max(1, int(asked)))
    return share if any(has_encoder(config.get("model", {})) for config in configs) else 1


@contextlib.contextmanager
def few_threads(config: dict[str, Any]) -> Iterator[None]:
    """While one experiment is trained."""
    import torch

    before = torch.get_num_threads()
    # Whoever has set another number than torch's own wants that one.
    if ASKED not in os.environ and before == cores():
        torch.set_num_threads(threads_for([config]))
    try:
        yield
    finally:
        torch.set_num_threads(before)
