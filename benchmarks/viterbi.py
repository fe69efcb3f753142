"""The best taggings of a batch under a CRF."""

from functools import partial
from typing import Any

import torch

from benchmarks.contest import CONTESTS, Contest
from benchmarks.tag_batches import SIZES, TagBatch


def against_allennlp(num_tags: int) -> Contest:
    batch = TagBatch.of(num_tags)

    @torch.no_grad()
    def ours() -> Any:
        return batch.chain().best()

    @torch.no_grad()
    def theirs() -> Any:
        return batch.allennlp.viterbi_tags(batch.scores, batch.mask)

    return Contest(ours, theirs, "allennlp.modules.ConditionalRandomField")


def against_pytorch_crf(num_tags: int) -> Contest:
    batch = TagBatch.of(num_tags)

    @torch.no_grad()
    def ours() -> Any:
        return batch.chain().best()

    @torch.no_grad()
    def theirs() -> Any:
        return batch.pytorch_crf.decode(batch.scores, batch.mask)

    return Contest(ours, theirs, "pytorch-crf")


for size in SIZES:
    CONTESTS[f"viterbi_{size}"] = partial(against_allennlp, size)
    CONTESTS[f"viterbi_{size}_pytorch_crf"] = partial(against_pytorch_crf, size)
