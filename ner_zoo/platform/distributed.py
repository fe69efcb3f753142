"""Sums counts over the processes of distributed training."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import torch.distributed
from allennlp.common.util import is_distributed


def sum_over_processes(counts: Mapping[str, Counter]) -> dict[str, Counter]:
    """The sums over all processes, by name; every process must call this. Without distributed training, the counts."""
    if not is_distributed():
        return dict(counts)
    shares: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(shares, dict(counts))
    total: dict[str, Counter] = {}
    for share in shares:
        for name, counter in share.items():
            total.setdefault(name, Counter()).update(counter)
    return total
