"""
Hinge-yu: the hinge, plus the altered labelling u must outscore worse ones too.

    L = Hinge + [F(y*) + cost(gold, y*) - cost(gold, u) - F(u)]+

If the rule leaves u = gold, the second term is the hinge again.
"""

from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.hinge import shortfall
from ner_zoo.losses.loss import Loss
from ner_zoo.losses.multi_constraint_hinge import MultiConstraintHinge
from ner_zoo.structures.structure import Structure


@Loss.register("hinge_yu")
class HingeYu(MultiConstraintHinge):
    @overrides
    def constraint(self, structure: Structure, gold: LongTensor, altered: LongTensor, violating: LongTensor) -> Tensor:
        margin = self.cost.between(structure, gold, violating) - self.cost.between(structure, gold, altered)
        return shortfall(structure, altered, violating, margin)
