"""Counts of the processes of distributed training, added up."""

from collections import Counter
from typing import Any, Dict, List, Mapping

import torch.distributed
from allennlp.common.util import is_distributed


def sum_over_processes(counts: Mapping[str, Counter]) -> Dict[str, Counter]:
    """The sums over all processes, by name; every process has to call this. Outside distributed training, the same."""
    if not is_distributed():
        return dict(counts)
    shares: List[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(shares, dict(counts))
    total: Dict[str, Counter] = {}
    for share in shares:
        for name, counter in share.items():
            total.setdefault(name, Counter()).update(counter)
    return total
