"""
A cost says how wrong a labelling is: `cost(gold, y)`, 0 for the gold one.

Search for the labelling with the highest score *plus* cost is a plain search, with the price of each label added to its
score, if the cost is a sum of prices over positions. Losses that search so ask for a `PositionCost`.
"""

from math import inf

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.structures.structure import UNKNOWN, Structure


class Cost(Registrable):
    """One subclass per way to count what is wrong."""

    default_implementation = "hamming"

    def between(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        """The cost `(batch,)` of labellings, both `(batch, positions)`."""
        raise NotImplementedError


class PositionCost(Cost):
    """A cost that is a sum over positions: the price of each label that is not the gold one."""

    def price(self, gold: LongTensor, labels: LongTensor, background: int) -> Tensor:
        """The price of each label where it stands instead of the gold one. The arguments broadcast."""
        raise NotImplementedError

    @overrides
    def between(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        return self._prices(structure, gold, labels).masked_fill(~structure.mask, 0.0).sum(1)

    def added_to(self, structure: Structure, gold: LongTensor) -> Structure:
        """The structure in which a labelling scores its score and its cost."""
        every_label = torch.arange(structure.scores.shape[2], device=gold.device)
        return structure.plus(self._prices(structure, gold.unsqueeze(2), every_label))

    def _prices(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        prices = self.price(gold, labels, structure.background).to(structure.scores.dtype)
        return prices.masked_fill(gold == UNKNOWN, 0.0)


@Cost.register("hamming")
class Hamming(PositionCost):
    """scale : the price of each wrong label."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = _checked("scale", scale)

    @overrides
    def price(self, gold: LongTensor, labels: LongTensor, background: int) -> Tensor:
        return (gold != labels) * _exact(self.scale)


@Cost.register("weighted_hamming")
class WeightedHamming(PositionCost):
    """
    false_positive : the price of a label on what is background.
    false_negative : the price of background on what has a label.
    confusion : the price of one label for another.
    """

    def __init__(self, false_positive: float = 1.0, false_negative: float = 1.0, confusion: float = 1.0) -> None:
        self.false_positive = _checked("false_positive", false_positive)
        self.false_negative = _checked("false_negative", false_negative)
        self.confusion = _checked("confusion", confusion)

    @overrides
    def price(self, gold: LongTensor, labels: LongTensor, background: int) -> Tensor:
        if background < 0:
            raise ConfigurationError(
                "The cost `weighted_hamming` prices false positives and negatives apart, but none of the labels means "
                "background (`O`). Use the cost `hamming`."
            )
        instead_of_label = torch.where(labels == background, _exact(self.false_negative), _exact(self.confusion))
        return (gold != labels) * torch.where(gold == background, _exact(self.false_positive), instead_of_label)


def _checked(name: str, price: float) -> float:
    if not 0.0 <= price < inf:
        raise ConfigurationError(
            f"The price `{name}` of a cost is {price}. What is wrong costs something: give 0 or more."
        )
    return price


def _exact(price: float) -> Tensor:
    """For scores of any precision: torch makes a bare number one of 32 bits."""
    return torch.tensor(price, dtype=torch.float64)


def position_cost(cost: Cost) -> PositionCost:
    """The cost, if search can be augmented by it."""
    if isinstance(cost, PositionCost):
        return cost
    raise ConfigurationError(
        f"The cost {type(cost).__name__} is not a sum over positions, and the search for the labelling with the "
        "highest score plus cost can only add prices to single labels. Use the cost `hamming` or `weighted_hamming`, "
        "or the loss `minimum_risk`, whose cost is that of F1."
    )
