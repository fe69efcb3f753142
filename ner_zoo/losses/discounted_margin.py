"""
Discounted margin: the hinge, plus the altered labelling u must outscore worse ones by slightly less than their cost.

    L = Hinge + [F(y*) + df cost(u, y*) - F(u)]+

The margin is discounted because u is not the truth. If the rule leaves u = gold, nothing is discounted: the second term
is then the hinge again.
"""

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.altered_labelling import AlteredLabelling
from ner_zoo.losses.cost import Cost
from ner_zoo.losses.hinge import shortfall
from ner_zoo.losses.loss import Loss
from ner_zoo.losses.multi_constraint_hinge import MultiConstraintHinge
from ner_zoo.structures.structure import Structure


@Loss.register("discounted_margin")
class DiscountedMargin(MultiConstraintHinge):
    """df : discount factor of the margin; the paper chose it on development data from 0.85 to 0.95."""

    def __init__(
        self,
        vocab: Vocabulary,
        df: float = 0.925,
        altered_labelling: AlteredLabelling | None = None,
        cost: Cost | None = None,
    ) -> None:
        super().__init__(vocab, altered_labelling, cost)
        if not 0.0 <= df <= 1.0:
            raise ConfigurationError(f"df is {df}. It is a factor of the margin: set it to a number from 0 to 1.")
        self.df = df

    @overrides
    def constraint(self, structure: Structure, gold: LongTensor, altered: LongTensor, violating: LongTensor) -> Tensor:
        is_altered = ((altered != gold) & structure.mask).any(1)
        margin = self.cost.between(structure, altered, violating)
        return shortfall(structure, altered, violating, torch.where(is_altered, self.df * margin, margin))
