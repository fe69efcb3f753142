"""
Double hinge: the hinge, plus the gold labelling must outscore the altered one, u, by its cost.

    L = Hinge + [F(u) + cost(gold, u) - F(gold)]+

If the rule leaves u = gold, the second term is 0.
"""

from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.multi_constraint_hinge import MultiConstraintHinge
from ner_zoo.structures.structure import Structure


@Loss.register("double_hinge")
class DoubleHinge(MultiConstraintHinge):
    @overrides
    def constraint(self, structure: Structure, gold: LongTensor, altered: LongTensor, violating: LongTensor) -> Tensor:
        return self.below_gold(structure, gold, altered)
