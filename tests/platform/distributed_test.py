import json
from collections import Counter
from pathlib import Path

import torch.distributed
import torch.multiprocessing

from ner_zoo.platform.distributed import sum_over_processes

SHARES = [{"right": Counter(PER=1), "gold": Counter(PER=2)}, {"gold": Counter(PER=1, LOC=3), "more": Counter(x=1)}]


def worker(rank: int, folder: str) -> None:
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    Path(folder, f"{rank}.json").write_text(json.dumps(sum_over_processes(SHARES[rank])))
    torch.distributed.destroy_process_group()


def test_every_process_gets_the_sums_over_all(tmp_path: Path) -> None:
    torch.multiprocessing.start_processes(worker, (str(tmp_path),), nprocs=2, start_method="fork")
    sums = {"right": {"PER": 1}, "gold": {"PER": 3, "LOC": 3}, "more": {"x": 1}}
    assert [json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(2)] == [sums, sums]


def test_outside_distributed_training_the_counts_stay() -> None:
    assert sum_over_processes(SHARES[0]) == SHARES[0]
