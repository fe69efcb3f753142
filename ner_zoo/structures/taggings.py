"""
A set of distinct labellings of one sentence: the gold one first, then sampled ones.

Each position of a draw ignores its local scores with probability `epsilon`. For independent positions this is a mixture
of the model's distribution (1 - epsilon) and the uniform one (epsilon) at each position; in a chain, transitions keep
their scores and constraints, so no draw is impossible under the model.
"""

from functools import singledispatch
from typing import NamedTuple

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.independent import Independent
from ner_zoo.structures.linear_chain import LinearChain
from ner_zoo.structures.structure import Structure


class Taggings(NamedTuple):
    """
    labels : `(n, batch, positions)`, 0 under the mask.
    exists : `(n, batch)`, false if a sentence has fewer than n distinct labellings; the first always exists.
    """

    labels: LongTensor
    exists: BoolTensor


def distinct_taggings(structure: Structure, gold: LongTensor, n: int, epsilon: float, max_draws: int) -> Taggings:
    """The gold labelling and the first `n - 1` others among `max_draws` draws. No gradient flows through the draw."""
    gold = gold.masked_fill(~structure.mask, 0)
    with torch.no_grad():
        drawn = draw(structure, max_draws, epsilon) if n > 1 else gold.new_zeros(0, *gold.shape)
    labels = torch.cat([gold.unsqueeze(0), drawn])  # (draws, batch, positions)
    is_equal = (labels.unsqueeze(0) == labels.unsqueeze(1)).all(3)  # (draws, draws, batch)
    draws = torch.arange(len(labels), device=labels.device)
    is_earlier = (draws.unsqueeze(0) < draws.unsqueeze(1)).unsqueeze(2)
    is_new = ~(is_equal & is_earlier).any(1)  # (draws, batch)
    # A stable sort moves new ones to the front, in the order in which they were drawn.
    order = (~is_new).long().argsort(dim=0, stable=True)[:n]
    picked = labels.gather(0, order.unsqueeze(2).expand(-1, -1, labels.shape[2]))
    return Taggings(picked, is_new.gather(0, order))


@singledispatch
def draw(structure: Structure, n: int, epsilon: float) -> LongTensor:
    """`n` labellings of each sentence, with some positions ignoring their scores: `(n, batch, positions)`."""
    many = repeated(structure, n)
    forgotten = torch.rand(many.mask.shape, device=many.scores.device) < epsilon
    drawn = many.plus(-many.scores * forgotten.unsqueeze(2)).sample(1)
    return drawn.view(n, *structure.mask.shape)


@draw.register
def _(structure: Independent, n: int, epsilon: float) -> LongTensor:
    # Only real positions, and one search per token for all its draws: many draws are cheap.
    probabilities = structure.marginals()[structure.mask].double()  # (tokens, labels)
    allowed = torch.isfinite(structure.legal_scores()[structure.mask])
    uniform = allowed.double() / allowed.sum(1, keepdim=True).clamp(min=1)
    cumulative = ((1 - epsilon) * probabilities + epsilon * uniform).cumsum(1)
    threshold = cumulative[:, -1:] * torch.rand(len(cumulative), n, dtype=torch.float64, device=cumulative.device)
    drawn = torch.searchsorted(cumulative, threshold, right=True).clamp(max=cumulative.shape[1] - 1)
    labels = drawn.new_zeros(n, *structure.mask.shape)
    labels[:, structure.mask] = drawn.t()
    return labels


@singledispatch
def repeated(structure: Structure, n: int) -> Structure:
    """The structure with its sentences repeated `n` times: `(n * batch, ...)`."""
    raise NotImplementedError(
        f"{type(structure).__name__} cannot be repeated: samples need tags of tokens, or labels of spans."
    )


@repeated.register
def _(structure: Independent, n: int) -> Independent:
    allowed = None if structure.allowed is None else structure.allowed.repeat(n, 1, 1)
    return Independent(structure.scores.repeat(n, 1, 1), structure.mask.repeat(n, 1), structure.background, allowed)


@repeated.register
def _(structure: LinearChain, n: int) -> LinearChain:
    allowed = None if structure.allowed is None else structure.allowed.repeat(n, 1, 1)
    return LinearChain(
        structure.scores.repeat(n, 1, 1),
        structure.transitions,
        structure.mask.repeat(n, 1),
        structure.start,
        structure.end,
        structure.constraints,
        structure.background,
        allowed,
    )


def log_probabilities(structure: Structure, labels: LongTensor) -> Tensor:
    """The log-probability of each of many labellings `(n, batch, positions)`: `(n, batch)`."""
    scores = repeated(structure, len(labels)).score(labels.flatten(0, 1))
    return scores.view(labels.shape[:2]) - structure.log_partition()
