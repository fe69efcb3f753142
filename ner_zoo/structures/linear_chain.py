"""
Linear chain (CRF): labels with transition scores.

    score(y) = start[y_1] + sum_t scores[t, y_t] + sum_t transitions[y_t, y_t+1] + end[y_T]

Labellings with an illegal transition are excluded: they are never summed over, found or sampled.
"""

from math import inf
from types import ModuleType

import numpy as np
import torch
from numpy import ndarray
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures import chain_compiled, chain_torch
from ner_zoo.structures.chain_constraints import ChainConstraints, no_constraints
from ner_zoo.structures.chunks import ChunkRules, Chunks
from ner_zoo.structures.log_space import at_least_float32
from ner_zoo.structures.potentials import Potentials
from ner_zoo.structures.structure import Structure


class LinearChain(Structure):
    """
    scores : `(batch, positions, labels)`.
    transitions : `(labels, labels)`, the score of the transition from the first label to the second.
    mask : `(batch, positions)`.
    start, end : `(labels,)`, the scores of starting and ending with a label; None for 0.
    constraints : the legal transitions, starts and ends; None if all are. Create it once and use it for every batch.
    background : the label for "nothing here", or -1.
    allowed : `(batch, positions, labels)`, the allowed labels of each position, or None for all.
    """

    def __init__(
        self,
        scores: Tensor,
        transitions: Tensor,
        mask: BoolTensor,
        start: Tensor | None = None,
        end: Tensor | None = None,
        constraints: ChainConstraints | None = None,
        background: int = -1,
        allowed: BoolTensor | None = None,
    ) -> None:
        self.scores = at_least_float32(scores)
        labels = scores.shape[2]
        self.transitions = transitions
        self.start = self.scores.new_zeros(labels) if start is None else start
        self.end = self.scores.new_zeros(labels) if end is None else end
        self.mask = mask
        self.constraints = constraints or no_constraints(labels)
        self.background = background
        self.allowed = allowed
        self._lengths: ndarray | None = None

    @overrides
    def score(self, labels: LongTensor) -> Tensor:
        return self._verbs.score(self._raw(), labels)

    @overrides
    def log_partition(self) -> Tensor:
        return self._verbs.log_partition(self._potentials())

    @overrides
    def log_likelihood(self, labels: LongTensor) -> Tensor:
        if self.allowed is not None:
            return super().log_likelihood(labels)
        return self._verbs.log_likelihood(self._raw(), labels)

    @overrides
    def max(self) -> Tensor:
        with torch.no_grad():
            labels, scores = self._verbs.best(self._potentials())
        return self.score(labels).masked_fill(scores == -inf, -inf)

    @overrides
    def best(self) -> LongTensor:
        with torch.no_grad():
            return self._verbs.best(self._potentials())[0]

    @overrides
    def marginals(self) -> Tensor:
        return self._verbs.marginals(self._potentials())

    @overrides
    def entropy(self) -> Tensor:
        return self._verbs.entropy(self._potentials())

    @overrides
    def sample(self, n: int) -> LongTensor:
        uniform = torch.rand(n, *self.mask.shape, dtype=torch.float64, device=self.scores.device)
        with torch.no_grad():
            return self._verbs.sample(self._potentials(), uniform)

    @overrides
    def divided(self, divisor: float) -> "LinearChain":
        divided = super().divided(divisor)
        divided.transitions, divided.start, divided.end = (part / divisor for part in self._raw()[1:4])
        return divided

    @overrides
    def n_best(self, n: int) -> tuple[LongTensor, Tensor]:
        with torch.no_grad():
            labels, scores = self._verbs.n_best(self._potentials(), n)
            return labels, scores - self.log_partition()

    @overrides
    def chunk_marginals(self, chunks: Chunks, rules: ChunkRules) -> Tensor:
        chunks.check(self.mask.sum(1))
        with torch.no_grad():
            return self._verbs.chunk_marginals(self._potentials(), chunks, rules)

    @property
    def _verbs(self) -> ModuleType:
        return chain_compiled if self.scores.device.type == "cpu" else chain_torch

    def _potentials(self) -> Potentials:
        return self._raw()._replace(scores=self.legal_scores())

    def _raw(self) -> Potentials:
        if self._lengths is None:
            self._lengths = chain_compiled.lengths(self.mask) if self._verbs is chain_compiled else np.empty(0)
        transitions, start, end = (part.to(self.scores.dtype) for part in (self.transitions, self.start, self.end))
        return Potentials(self.scores, transitions, start, end, self.mask, self.constraints, self._lengths)
