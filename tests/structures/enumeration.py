"""Brute force: all labellings of a structure, each with the sum that defines its score."""

import itertools
from collections.abc import Sequence

import torch
from torch import Tensor

from ner_zoo.structures import ChainConstraints, Independent, LinearChain, Structure

Labelling = tuple[int, ...]

# Sentences of each length from 0 to 4 in one batch, the longest neither first nor last.
LENGTHS = (2, 4, 0, 1, 3)
LABELS = 3
BATCHES = ["free", "constrained", "restricted", "both"]


def random_mask(lengths: Sequence[int], positions: int) -> Tensor:
    return torch.arange(positions).unsqueeze(0) < torch.tensor(lengths).unsqueeze(1)


def random_allowed(lengths: Sequence[int], positions: int, labels: int) -> Tensor:
    """Some labels are forbidden at some positions, but never label 0."""
    allowed = torch.rand(len(lengths), positions, labels) < 0.6
    allowed[:, :, 0] = True
    return allowed


def some_constraints() -> ChainConstraints:
    """2 may only follow 1, no sentence starts with 2 or ends with 1: like `I` and `B`."""
    return ChainConstraints(
        torch.tensor([[True, True, False], [True, True, True], [True, False, True]]),
        torch.tensor([True, True, False]),
        torch.tensor([True, False, True]),
    )


def random_chain(
    batch: str = "both", seed: int = 0, lengths: Sequence[int] = LENGTHS, scale: float = 1.0
) -> LinearChain:
    """batch : one of `BATCHES`; determines whether the chain has constraints and restricted labels."""
    torch.manual_seed(seed)
    positions = max(lengths)
    return LinearChain(
        scale * torch.randn(len(lengths), positions, LABELS, dtype=torch.float64),
        scale * torch.randn(LABELS, LABELS, dtype=torch.float64),
        random_mask(lengths, positions),
        scale * torch.randn(LABELS, dtype=torch.float64),
        scale * torch.randn(LABELS, dtype=torch.float64),
        some_constraints() if batch in ("constrained", "both") else None,
        0,
        random_allowed(lengths, positions, LABELS) if batch in ("restricted", "both") else None,
    )


def random_independent(batch: str = "restricted", seed: int = 0, lengths: Sequence[int] = LENGTHS) -> Independent:
    torch.manual_seed(seed)
    positions = max(lengths)
    scores = torch.randn(len(lengths), positions, LABELS, dtype=torch.float64)
    allowed = random_allowed(lengths, positions, LABELS) if batch == "restricted" else None
    return Independent(scores, random_mask(lengths, positions), 0, allowed)


def legal_labellings(structure: Structure, sentence: int) -> dict[Labelling, Tensor]:
    """Every legal labelling of a sentence of the batch, with its score."""
    length = int(structure.mask[sentence].sum())
    every = itertools.product(range(structure.scores.shape[2]), repeat=length)
    return {labels: score_of(structure, sentence, labels) for labels in every if is_legal(structure, sentence, labels)}


def score_of(structure: Structure, sentence: int, labels: Labelling) -> Tensor:
    total = structure.scores.new_zeros(())
    for position, label in enumerate(labels):
        total = total + structure.scores[sentence, position, label]
    if isinstance(structure, LinearChain) and labels:
        total = total + structure.start[labels[0]] + structure.end[labels[-1]]
        for before, after in itertools.pairwise(labels):
            total = total + structure.transitions[before, after]
    return total


def is_legal(structure: Structure, sentence: int, labels: Labelling) -> bool:
    allowed = structure.allowed
    if allowed is not None and not all(allowed[sentence, at, label] for at, label in enumerate(labels)):
        return False
    if not isinstance(structure, LinearChain) or not labels:
        return True
    legal = structure.constraints
    steps = all(legal.transitions[before, after] for before, after in itertools.pairwise(labels))
    return bool(steps and legal.start[labels[0]] and legal.end[labels[-1]])


def probabilities(structure: Structure, sentence: int) -> dict[Labelling, float]:
    scores = legal_labellings(structure, sentence)
    return dict(zip(scores, torch.stack(list(scores.values())).softmax(0).tolist()))


def every_log_partition(structure: Structure) -> Tensor:
    sentences = range(len(structure.mask))
    return torch.stack([torch.stack(list(legal_labellings(structure, at).values())).logsumexp(0) for at in sentences])


def every_marginal(structure: Structure) -> Tensor:
    marginals = torch.zeros_like(structure.scores)
    for sentence in range(len(structure.mask)):
        for labels, probability in probabilities(structure, sentence).items():
            for position, label in enumerate(labels):
                marginals[sentence, position, label] += probability
    return marginals


def ranked(structure: Structure, sentence: int) -> list[tuple[Labelling, float]]:
    """The legal labellings, best first."""
    scores = legal_labellings(structure, sentence)
    return sorted(((labels, score.item()) for labels, score in scores.items()), key=lambda pair: -pair[1])


def rows(structure: Structure, labels: Tensor) -> list[Labelling]:
    """A labelling `(batch, positions)` without its padding."""
    lengths = structure.mask.sum(1).tolist()
    return [tuple(row[:length]) for row, length in zip(labels.tolist(), lengths)]
