"""
Hinge losses with a slightly wrong labelling u: the structured hinge, plus one more constraint with the same y*.

    L = [F(y*) + cost(gold, y*) - F(gold)]+  +  a term with u
"""

from allennlp.data import Vocabulary
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.altered_labelling import AlteredLabelling, FalsePositive
from ner_zoo.losses.cost import Cost
from ner_zoo.losses.hinge import Hinge
from ner_zoo.structures.structure import Structure


class MultiConstraintHinge(Hinge):
    """altered_labelling : rule that creates u from the gold labelling."""

    def __init__(
        self, vocab: Vocabulary, altered_labelling: AlteredLabelling | None = None, cost: Cost | None = None
    ) -> None:
        super().__init__(cost)
        self.altered_labelling = altered_labelling or FalsePositive(vocab)

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        violating = self.most_violating(structure, gold)
        altered = self.altered_labelling.altered(gold, structure.mask)
        hinge = self.below_gold(structure, gold, violating)
        return hinge + self.constraint(structure, gold, altered, violating)

    def constraint(self, structure: Structure, gold: LongTensor, altered: LongTensor, violating: LongTensor) -> Tensor:
        """The additional term `(batch,)`, from the labellings gold, u and y*."""
        raise NotImplementedError
