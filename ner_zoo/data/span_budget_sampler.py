"""
Batches with a limit on the number of candidate spans.

Sentences of similar size are batched until the padded batch would exceed `max_spans` spans. A sentence that is larger
by itself gets its own batch, and the model scores it in chunks.
"""

import random
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance
from allennlp.data.samplers import BatchSampler
from overrides import overrides


@BatchSampler.register("span_budget")
class SpanBudgetSampler(BatchSampler):
    """
    max_spans : maximum number of spans in a batch, including padding.
    batch_size : maximum number of sentences in a batch.
    shuffle : shuffle the batches, and sentences of equal size, in every epoch.
    field : the field whose size counts.
    """

    def __init__(
        self, max_spans: int = 32768, batch_size: int = 32, shuffle: bool = True, field: str = "spans"
    ) -> None:
        if max_spans < 1 or batch_size < 1:
            raise ConfigurationError(f"max_spans is {max_spans} and batch_size {batch_size}. Set both to 1 or more.")
        self.max_spans = max_spans
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.field = field

    @overrides
    def get_batch_indices(self, instances: Sequence[Instance]) -> Iterable[list[int]]:
        sizes = self._sizes(instances)
        order = list(range(len(sizes)))
        if self.shuffle:
            random.shuffle(order)
        # The sort is stable: sentences of equal size stay in shuffled order, and batch sizes are the same every time.
        order.sort(key=sizes.__getitem__)
        batches = [[order[at] for at in batch] for batch in self._cut([sizes[i] for i in order])]
        if self.shuffle:
            random.shuffle(batches)
        yield from batches

    def _cut(self, sizes: Sequence[int]) -> Iterator[range]:
        """Groups sizes in ascending order into batches, each a range of indices."""
        start = 0
        for place, size in enumerate(sizes):
            count = place - start
            if count and (count == self.batch_size or (count + 1) * size > self.max_spans):
                yield range(start, place)
                start = place
        if start < len(sizes):
            yield range(start, len(sizes))

    def _sizes(self, instances: Sequence[Instance]) -> list[int]:
        if len(instances) and self.field not in instances[0].fields:
            raise ConfigurationError(
                f"The batch sampler span_budget counts the field {self.field!r}, but instances have "
                f"{sorted(instances[0].fields)}. Use the view `spans` in the reader, or another sampler."
            )
        return [len(instance.fields[self.field]) for instance in instances]  # type: ignore[arg-type]

    @overrides
    def get_num_batches(self, instances: Sequence[Instance]) -> int:
        return sum(1 for _ in self._cut(np.sort(self._sizes(instances)).tolist()))

    @overrides
    def get_batch_size(self) -> int | None:
        return self.batch_size
