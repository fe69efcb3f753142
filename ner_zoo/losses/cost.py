"""
A cost measures how wrong a labelling is: `cost(gold, y)`, 0 for the gold one.

If the cost is a sum over positions, finding the labelling with the highest score *plus* cost is an ordinary search with
costs added to the scores. Losses that do this require a `PositionCost`.
"""

from math import inf

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.structures.structure import UNKNOWN, Structure


class Cost(Registrable):
    """Base class: one subclass per cost function."""

    default_implementation = "hamming"

    def between(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        """The cost `(batch,)` of labellings, both `(batch, positions)`."""
        raise NotImplementedError


class PositionCost(Cost):
    """A cost that is a sum over positions of the cost of each wrong label."""

    def price(self, gold: LongTensor, labels: LongTensor, background: int) -> Tensor:
        """The cost of each label in place of the gold one. The arguments broadcast."""
        raise NotImplementedError

    @overrides
    def between(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        return self._prices(structure, gold, labels).masked_fill(~structure.mask, 0.0).sum(1)

    def added_to(self, structure: Structure, gold: LongTensor) -> Structure:
        """The structure with the cost of each labelling added to its score."""
        every_label = torch.arange(structure.scores.shape[2], device=gold.device)
        return structure.plus(self._prices(structure, gold.unsqueeze(2), every_label))

    def _prices(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        prices = self.price(gold, labels, structure.background).to(structure.scores.dtype)
        return prices.masked_fill(gold == UNKNOWN, 0.0)


@Cost.register("hamming")
class Hamming(PositionCost):
    """
    Hamming cost: the number of wrong labels.

    scale : cost of each wrong label.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = _checked("scale", scale)

    @overrides
    def price(self, gold: LongTensor, labels: LongTensor, background: int) -> Tensor:
        return (gold != labels) * _exact(self.scale)


@Cost.register("weighted_hamming")
class WeightedHamming(PositionCost):
    """
    Hamming cost with separate costs for each kind of error.

    false_positive : cost of a label on background.
    false_negative : cost of background on a labelled position.
    confusion : cost of a wrong label on a labelled position.
    """

    def __init__(self, false_positive: float = 1.0, false_negative: float = 1.0, confusion: float = 1.0) -> None:
        self.false_positive = _checked("false_positive", false_positive)
        self.false_negative = _checked("false_negative", false_negative)
        self.confusion = _checked("confusion", confusion)

    @overrides
    def price(self, gold: LongTensor, labels: LongTensor, background: int) -> Tensor:
        if background < 0:
            raise ConfigurationError(
                "The cost `weighted_hamming` distinguishes false positives and false negatives, but none of the "
                "labels means background (`O`). Use the cost `hamming`."
            )
        instead_of_label = torch.where(labels == background, _exact(self.false_negative), _exact(self.confusion))
        return (gold != labels) * torch.where(gold == background, _exact(self.false_positive), instead_of_label)


def _checked(name: str, price: float) -> float:
    if not 0.0 <= price < inf:
        raise ConfigurationError(f"`{name}` of the cost is {price}. Set it to 0 or more.")
    return price


def _exact(price: float) -> Tensor:
    """Matches the precision of the scores: torch makes a bare number 32-bit."""
    return torch.tensor(price, dtype=torch.float64)


def position_cost(cost: Cost) -> PositionCost:
    """The cost, if it can be used in cost-augmented search."""
    if isinstance(cost, PositionCost):
        return cost
    raise ConfigurationError(
        f"The cost {type(cost).__name__} is not a sum over positions, but cost-augmented search requires one. Use the "
        f"cost `hamming` or `weighted_hamming`, or the loss `minimum_risk`, whose cost is based on F1."
    )
