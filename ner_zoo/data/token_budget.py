"""Batches sentences of similar length with a limit on the number of tokens, including padding."""

from collections.abc import Iterator, Sequence


def token_batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """
    Indices of sentences, shortest first; sentences without tokens are left out. A sentence longer than the limit gets
    its own batch.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > most_tokens:
            yield batch
            batch = []
        if lengths[number]:
            batch.append(number)
    if batch:
        yield batch
