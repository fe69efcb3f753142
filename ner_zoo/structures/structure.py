"""
A structure is a distribution over the labellings of a sentence, given by scores: `p(y) = exp(score(y)) / Z`.

Heads produce structures, and losses use only the operations defined here, so any loss works with any model. A labelling
assigns one label to each position of a sentence; positions may be tokens, spans or pairs. All operations are batched
over sentences.

Two edge cases are handled consistently. A sentence without positions has one labelling, the empty one, with score 0. A
sentence for which constraints and `restrict` leave no labelling has `log_partition()` and `max()` of -inf with a
gradient of 0, marginals and entropy of 0, and 0 as every label of `best()` and `sample()`.
"""

from abc import ABC, abstractmethod
from copy import copy
from math import inf
from typing import TypeVar

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks

# The gold label of a position without annotation: every label may be correct.
UNKNOWN = -1

Same = TypeVar("Same", bound="Structure")


class Structure(ABC):
    """
    scores : `(batch, positions, labels)`, the local score of each label at each position.
    mask : `(batch, positions)`, true for real positions; rows are left-aligned.
    background : the label for "nothing here" (`O`), or -1 if there is none.
    allowed : `(batch, positions, labels)`, the allowed labels of each position, or None for all.
    """

    scores: Tensor
    mask: BoolTensor
    background: int
    allowed: BoolTensor | None

    @abstractmethod
    def score(self, labels: LongTensor) -> Tensor:
        """
        The score of a labelling `(batch, positions)`: `(batch,)`. Masked positions are ignored. It is the plain sum of
        scores, finite even for a labelling that constraints or `restrict` forbid.
        """

    @abstractmethod
    def log_partition(self) -> Tensor:
        """The log of the summed exponentiated scores of all labellings: `(batch,)`."""

    def log_likelihood(self, labels: LongTensor) -> Tensor:
        """The log-probability of a labelling: `(batch,)`."""
        return self.score(labels) - self.log_partition()

    def log_annotation(self, gold: LongTensor) -> Tensor:
        """The log-probability of all labellings that agree with the known annotation: `(batch,)`."""
        return self.restrict(allowed_labels(gold, self.scores.shape[2])).log_partition() - self.log_partition()

    @abstractmethod
    def max(self) -> Tensor:
        """The score of the best labelling, with its (sub)gradient: `(batch,)`."""

    @abstractmethod
    def best(self) -> LongTensor:
        """The best labelling, 0 under the mask: `(batch, positions)`."""

    @abstractmethod
    def marginals(self) -> Tensor:
        """The probability of each label at each position, 0 under the mask: `(batch, positions, labels)`."""

    @abstractmethod
    def entropy(self) -> Tensor:
        """The entropy of the distribution, -sum over all labellings of p log p, in nats: `(batch,)`."""

    @abstractmethod
    def sample(self, n: int) -> LongTensor:
        """`n` independent samples of labellings per sentence, 0 under the mask: `(n, batch, positions)`."""

    def legal_scores(self) -> Tensor:
        """The local scores, -inf for labels that are not allowed."""
        return self.scores if self.allowed is None else self.scores.masked_fill(~self.allowed, -inf)

    def plus(self: Same, scores: Tensor) -> Same:
        """The structure with `(batch, positions, labels)` added to its local scores."""
        return self._with(self.scores + scores, self.allowed)

    def restrict(self: Same, allowed: BoolTensor) -> Same:
        """The structure restricted to labellings with allowed labels `(batch, positions, labels)`."""
        return self._with(self.scores, allowed if self.allowed is None else allowed & self.allowed)

    @abstractmethod
    def n_best(self, n: int) -> tuple[LongTensor, Tensor]:
        """
        The `n` best labellings `(n, batch, positions)`, best first, and their log-probabilities `(n, batch)`: -inf if a
        sentence has fewer.
        """

    @abstractmethod
    def chunk_marginals(self, chunks: Chunks, rules: ChunkRules) -> Tensor:
        """The probability of each chunk, i.e. that exactly this chunk is in the labelling: `(chunks,)`."""

    def factors(self, gold: LongTensor) -> list[tuple["Structure", LongTensor]]:
        """The structures whose likelihoods multiply to that of the gold labels, each with its own gold labels."""
        return [(self, gold)]

    def tempered(self: Same, temperature: float) -> Same:
        """
        The structure with every score divided by `temperature`: above 1 labellings become more equally probable, below
        1 less so. The best labelling stays the same.
        """
        return self if temperature == 1.0 else self.divided(temperature)

    def divided(self: Same, divisor: float) -> Same:
        """The structure with every score divided."""
        return self._with(self.scores / divisor, self.allowed)

    def _with(self: Same, scores: Tensor, allowed: BoolTensor | None) -> Same:
        """The same structure with other scores."""
        other = copy(self)
        other.scores, other.allowed = scores, allowed
        return other


def allowed_labels(gold: LongTensor, labels: int, possible: BoolTensor | None = None) -> BoolTensor:
    """
    The labels that the annotation allows: `(batch, positions, labels)`.

    possible : `(labels,)`, those that an unknown position may have; None for all.
    """
    is_gold = gold.unsqueeze(2) == torch.arange(labels, device=gold.device)
    is_unknown = (gold == UNKNOWN).unsqueeze(2)
    return is_gold | (is_unknown if possible is None else is_unknown & possible.to(gold.device))


def known(labels: LongTensor, mask: BoolTensor, number: int) -> LongTensor:
    """The labels with 0 under the mask, where padding may contain anything; refuses invalid labels elsewhere."""
    labels = labels.masked_fill(~mask, 0)
    wrong = (labels < 0) | (labels >= number)
    if bool(wrong.any()):
        sentence, position = wrong.nonzero()[0].tolist()
        raise ValueError(
            f"A labelling to be scored has {int(labels[sentence, position])} at position {position} of sentence "
            f"{sentence} of the batch, but labels are from 0 to {number - 1}. A position without annotation "
            f"({UNKNOWN}) has no score: use `restrict` and `log_partition` to sum over its possible labels."
        )
    return labels
