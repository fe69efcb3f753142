"""What a chain's recursions work on: its scores, with -inf for all that is not legal."""

from typing import NamedTuple, Optional

from torch import BoolTensor, Tensor

from ner_zoo.structures.chain_constraints import ChainConstraints


class Potentials(NamedTuple):
    """
    scores : `(batch, positions, labels)`
    transitions : `(labels, labels)`
    start, end : `(labels,)`
    mask : `(batch, positions)`
    constraints : what is legal, for the compiled loops
    """

    scores: Tensor
    transitions: Tensor
    start: Tensor
    end: Tensor
    mask: BoolTensor
    constraints: Optional[ChainConstraints]

    def rows(self, chosen: Tensor) -> "Potentials":
        """The same for some of the sentences."""
        return self._replace(scores=self.scores[chosen], mask=self.mask[chosen])
