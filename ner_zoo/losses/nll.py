"""
Negative log-likelihood of the gold labelling.

    L = log Z - score(gold)
"""

from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.structure import Structure


@Loss.register("nll")
class NegativeLogLikelihood(Loss):
    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        return -structure.log_likelihood(gold)
