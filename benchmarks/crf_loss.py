"""The negative log-likelihood of a batch under a CRF, and its gradient with respect to all scores."""

from collections.abc import Callable
from functools import partial

from torch import Tensor

from benchmarks.contest import CONTESTS, Contest, Work
from benchmarks.tag_batches import SENTENCES, SIZES, TagBatch


def with_gradient(batch: TagBatch, loss: Callable[[], Tensor]) -> Work:
    def work() -> None:
        batch.forget_gradients()
        loss().backward()

    return work


def ours(batch: TagBatch) -> Tensor:
    return -batch.chain().log_likelihood(batch.gold).mean()


def against_allennlp(num_tags: int) -> Contest:
    batch = TagBatch.of(num_tags)

    def theirs() -> Tensor:
        return -batch.allennlp(batch.scores, batch.gold, batch.mask) / SENTENCES

    peer = "allennlp.modules.ConditionalRandomField"
    return Contest(with_gradient(batch, lambda: ours(batch)), with_gradient(batch, theirs), peer)


def against_pytorch_crf(num_tags: int) -> Contest:
    batch = TagBatch.of(num_tags)

    def theirs() -> Tensor:
        return -batch.pytorch_crf(batch.scores, batch.gold, mask=batch.mask) / SENTENCES

    return Contest(with_gradient(batch, lambda: ours(batch)), with_gradient(batch, theirs), "pytorch-crf")


for size in SIZES:
    CONTESTS[f"crf_loss_{size}"] = partial(against_allennlp, size)
    CONTESTS[f"crf_loss_{size}_pytorch_crf"] = partial(against_pytorch_crf, size)
