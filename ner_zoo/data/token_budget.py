"""Batches of sentences of similar length, within a budget of tokens with padding."""

from collections.abc import Iterator, Sequence


def token_batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """
    Numbers of sentences, the shortest first; those without tokens are in no batch. A sentence that is longer than the
    budget is a batch of its own.
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
