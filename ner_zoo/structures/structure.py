"""
A structure is a distribution over the labellings of a sentence, given by scores: `p(y) = exp(score(y)) / Z`.

Heads make structures, losses use nothing but the verbs below, and so any loss fits any model. A labelling gives one
label to each of a sentence's positions, which may be tokens, spans or pairs. All verbs are batched over sentences.

Two borders are the same everywhere. A sentence without positions has one labelling, the empty one, of score 0. A
sentence that legality and `restrict` leave without any labelling has `log_partition()` and `max()` of -inf with a
gradient of 0, marginals and entropy of 0, and 0 as every label of `best()` and `sample()`.
"""

from abc import ABC, abstractmethod
from typing import TypeVar

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks

# The gold label of a position that nobody has annotated: every label may be right.
UNKNOWN = -1

Same = TypeVar("Same", bound="Structure")


class Structure(ABC):
    """
    scores : `(batch, positions, labels)`, the local score of each label at each position.
    mask : `(batch, positions)`, true where there is a position; rows are filled from the left.
    background : the label that means "nothing here" (`O`), or -1 if there is none.
    """

    scores: Tensor
    mask: BoolTensor
    background: int

    @abstractmethod
    def score(self, labels: LongTensor) -> Tensor:
        """
        The score of a labelling `(batch, positions)`: `(batch,)`. What lies under the mask does not count.
        It is the plain sum of scores, finite also for a labelling that legality or `restrict` forbids.
        """

    @abstractmethod
    def log_partition(self) -> Tensor:
        """The log of the summed exponentiated scores of every labelling: `(batch,)`."""

    def log_likelihood(self, labels: LongTensor) -> Tensor:
        """The log of a labelling's probability: `(batch,)`."""
        return self.score(labels) - self.log_partition()

    def log_annotation(self, gold: LongTensor) -> Tensor:
        """The log of the probability of all labellings that agree with the annotation where it is known: `(batch,)`."""
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
        """How undecided the distribution is, -sum over all labellings of p log p, in nats: `(batch,)`."""

    @abstractmethod
    def sample(self, n: int) -> LongTensor:
        """`n` independent labellings per sentence from the distribution, 0 under the mask: `(n, batch, positions)`."""

    @abstractmethod
    def plus(self, scores: Tensor) -> "Structure":
        """The structure with `(batch, positions, labels)` added to its local scores."""

    @abstractmethod
    def restrict(self, allowed: BoolTensor) -> "Structure":
        """The structure over the labellings that use allowed labels `(batch, positions, labels)` only."""

    @abstractmethod
    def n_best(self, n: int) -> tuple[LongTensor, Tensor]:
        """
        The `n` best labellings `(n, batch, positions)`, best first, and their log-probabilities `(n, batch)`: -inf
        where a sentence has fewer.
        """

    @abstractmethod
    def chunk_marginals(self, chunks: Chunks, rules: ChunkRules) -> Tensor:
        """The probability that exactly this chunk is in the labelling, for each of many: `(chunks,)`."""

    def factors(self, gold: LongTensor) -> list[tuple["Structure", LongTensor]]:
        """The structures whose likelihoods multiply to that of the gold labels, each with its own gold labels."""
        return [(self, gold)]

    def tempered(self: Same, temperature: float) -> Same:
        """
        The structure with every score divided by `temperature`: above 1 all labellings become more alike, below 1 the
        best stands out more. Which one is the best stays.
        """
        return self if temperature == 1.0 else self.divided(temperature)

    @abstractmethod
    def divided(self: Same, divisor: float) -> Same:
        """The structure with every score divided."""


def allowed_labels(gold: LongTensor, labels: int, possible: BoolTensor | None = None) -> BoolTensor:
    """
    Which labels the annotation allows: `(batch, positions, labels)`.

    possible : `(labels,)`, those that an unknown position may have; None for all.
    """
    is_gold = gold.unsqueeze(2) == torch.arange(labels, device=gold.device)
    is_unknown = (gold == UNKNOWN).unsqueeze(2)
    return is_gold | (is_unknown if possible is None else is_unknown & possible.to(gold.device))


def known(labels: LongTensor, mask: BoolTensor, number: int) -> LongTensor:
    """The labels with 0 under the mask, where padding may have left anything; refuses what is not a label elsewhere."""
    labels = labels.masked_fill(~mask, 0)
    wrong = (labels < 0) | (labels >= number)
    if bool(wrong.any()):
        sentence, position = wrong.nonzero()[0].tolist()
        raise ValueError(
            f"A labelling to be scored has {int(labels[sentence, position])} at position {position} of sentence "
            f"{sentence} of the batch; labels are from 0 to {number - 1}. A position without annotation ({UNKNOWN}) "
            "has no score: use `restrict` and `log_partition` to sum over the labels it may have."
        )
    return labels
