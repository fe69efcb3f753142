"""
Independent labels: each position (a token, a span or a pair) is labelled independently of the others.

    score(y) = sum_t scores[t, y_t]          p(y) = prod_t softmax(scores[t])[y_t]
"""

from math import inf

import torch
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.linear_chain import LinearChain
from ner_zoo.structures.log_space import at_least_float32, choose, conditional_entropy, log_sum_exp
from ner_zoo.structures.structure import Structure, known


class Independent(Structure):
    """
    scores : `(batch, positions, labels)`.
    mask : `(batch, positions)`.
    background : the label for "nothing here", or -1.
    allowed : `(batch, positions, labels)`, the allowed labels of each position, or None for all.
    """

    def __init__(
        self, scores: Tensor, mask: BoolTensor, background: int = -1, allowed: BoolTensor | None = None
    ) -> None:
        self.scores = at_least_float32(scores)
        self.mask = mask
        self.background = background
        self.allowed = allowed

    @overrides
    def score(self, labels: LongTensor) -> Tensor:
        labels = known(labels, self.mask, self.scores.shape[2])
        return self._total(self.scores.gather(2, labels.unsqueeze(2)).squeeze(2))

    @overrides
    def log_partition(self) -> Tensor:
        return self._total(log_sum_exp(self.legal_scores(), 2)).masked_fill(~self._feasible(), -inf)

    @overrides
    def max(self) -> Tensor:
        scores = self.legal_scores()
        best = scores.gather(2, scores.argmax(2, keepdim=True)).squeeze(2)
        return self._total(best).masked_fill(~self._feasible(), -inf)

    @overrides
    def best(self) -> LongTensor:
        labels = self.legal_scores().argmax(2).masked_fill(~self.mask, 0)
        return labels.masked_fill(~self._feasible().unsqueeze(1), 0)

    @overrides
    def marginals(self) -> Tensor:
        possible = self.mask.unsqueeze(2) & self._feasible().view(-1, 1, 1)
        return self.legal_scores().masked_fill(~possible, 0.0).softmax(2) * possible

    @overrides
    def entropy(self) -> Tensor:
        possible = self.mask.unsqueeze(2) & self._feasible().view(-1, 1, 1)
        return conditional_entropy(self.legal_scores().masked_fill(~possible, 0.0), 2).mul(possible.squeeze(2)).sum(1)

    @overrides
    def sample(self, n: int) -> LongTensor:
        scores = self.legal_scores().detach()
        uniform = torch.rand(n, *self.mask.shape, dtype=torch.float64, device=scores.device)
        return choose(scores.unsqueeze(0), uniform).masked_fill(~(self.mask & self._feasible().unsqueeze(1)), 0)

    def as_chain(self) -> LinearChain:
        """The same distribution as a chain with zero transition scores, for operations that only chains have."""
        labels = self.scores.shape[2]
        transitions = self.scores.new_zeros(labels, labels)
        return LinearChain(self.scores, transitions, self.mask, background=self.background, allowed=self.allowed)

    @overrides
    def n_best(self, n: int) -> tuple[LongTensor, Tensor]:
        return self.as_chain().n_best(n)

    @overrides
    def chunk_marginals(self, chunks: Chunks, rules: ChunkRules) -> Tensor:
        return self.as_chain().chunk_marginals(chunks, rules)

    def _feasible(self) -> Tensor:
        impossible = (self.legal_scores().detach() == -inf).all(2)
        return ~(impossible & self.mask).any(1)

    def _total(self, per_position: Tensor) -> Tensor:
        return per_position.masked_fill(~self.mask, 0.0).sum(1)
