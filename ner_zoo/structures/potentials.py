"""The inputs of a chain's recursions."""

from math import inf
from typing import NamedTuple

from numpy import ndarray
from torch import BoolTensor, Tensor

from ner_zoo.structures.chain_constraints import ChainConstraints


class Potentials(NamedTuple):
    """
    scores : `(batch, positions, labels)`, -inf for a label that is not allowed
    transitions : `(labels, labels)`
    start, end : `(labels,)`
    mask : `(batch, positions)`
    constraints : which transitions, starts and ends are legal
    lengths : `(batch,)`, the number of positions of each sentence, for the compiled loops; empty on other devices
    """

    scores: Tensor
    transitions: Tensor
    start: Tensor
    end: Tensor
    mask: BoolTensor
    constraints: ChainConstraints
    lengths: ndarray

    def legal(self) -> "Potentials":
        """The same with -inf for everything illegal."""
        if self.constraints.is_free:
            return self
        forbidden = self.constraints.forbidden(self.scores.device)
        transitions, start, end = (part.masked_fill(where, -inf) for part, where in zip(self[1:4], forbidden))
        return self._replace(transitions=transitions, start=start, end=end)

    def rows(self, chosen: Tensor) -> "Potentials":
        """The same for a subset of the sentences."""
        lengths = self.lengths[chosen.numpy()]
        return self._replace(scores=self.scores[chosen], mask=self.mask[chosen], lengths=lengths)
