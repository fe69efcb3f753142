"""
Structured hinge: the gold labelling must outscore every other by its cost.

    y* = argmax_y F(y) + cost(gold, y)          L = [F(y*) + cost(gold, y*) - F(gold)]+          Taskar et al., 2003
"""

from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.cost import Cost, Hamming, position_cost
from ner_zoo.losses.loss import Loss
from ner_zoo.structures.structure import Structure


@Loss.register("hinge")
class Hinge(Loss):
    """cost : margin by which a labelling must be outscored; a sum over positions."""

    def __init__(self, cost: Cost | None = None) -> None:
        super().__init__()
        self.cost = position_cost(cost or Hamming())

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        return self.below_gold(structure, gold, self.most_violating(structure, gold))

    def most_violating(self, structure: Structure, gold: LongTensor) -> LongTensor:
        """`y*`, by one search per sentence."""
        return self.cost.added_to(structure, gold).best()

    def below_gold(self, structure: Structure, gold: LongTensor, labels: LongTensor) -> Tensor:
        """The hinge of labels that must score below gold by at least their cost."""
        return shortfall(structure, gold, labels, self.cost.between(structure, gold, labels))


def shortfall(structure: Structure, better: LongTensor, worse: LongTensor, margin: Tensor) -> Tensor:
    """`[F(worse) + margin - F(better)]+`: by how much the better labelling falls short of the margin."""
    return (structure.score(worse) + margin - structure.score(better)).relu()
