"""
Chooses the number of threads of a run: one, unless more are requested or worthwhile.

The matrices of an LSTM are small: a second thread gains little on an idle machine, and on a busy one the two threads
wait for each other and the run takes many times the processor time. The matrices of a pretrained encoder are large.
OMP_NUM_THREADS overrides the choice.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any

ASKED = "OMP_NUM_THREADS"


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def has_encoder(config: Any) -> bool:
    """Whether any part of a config, at any depth, is a pretrained transformer."""
    from ner_zoo.platform.archive_reach import values

    return any(key == "type" and str(value).startswith("pretrained_transformer") for _, key, value in values(config))


def threads_for(configs: Iterable[Any], jobs: int = 1) -> int:
    """The number of threads per run if this many runs of these configs are trained at once."""
    share = max(1, cores() // jobs)
    asked = os.environ.get(ASKED, "")
    if asked.isdigit():
        return min(share, max(1, int(asked)))
    return share if any(has_encoder(config.get("model", {})) for config in configs) else 1


@contextlib.contextmanager
def torch_threads(number: int, is_default: bool = True) -> Iterator[None]:
    """
    Sets the number of threads, unless the user has set one in the environment.
    is_default : whether to respect a number that differs from torch's default too, because a program has set it.
    """
    import torch

    before = torch.get_num_threads()
    if ASKED not in os.environ and (before == cores() or not is_default):
        torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)
