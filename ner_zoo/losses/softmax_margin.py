"""
Softmax margin: the likelihood with labellings boosted by their cost, a smooth hinge.

    L = log sum_y exp(F(y) + cost(gold, y)) - F(gold)          Gimpel and Smith, 2010
"""

from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.cost import Cost, Hamming, position_cost
from ner_zoo.losses.loss import Loss
from ner_zoo.structures.structure import Structure


@Loss.register("softmax_margin")
class SoftmaxMargin(Loss):
    """cost : amount by which a wrong labelling is boosted; a sum over positions."""

    def __init__(self, cost: Cost | None = None) -> None:
        super().__init__()
        self.cost = position_cost(cost or Hamming())

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        return self.cost.added_to(structure, gold).log_partition() - structure.score(gold)
