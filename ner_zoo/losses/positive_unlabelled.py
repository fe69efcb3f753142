"""
Positive-unlabelled learning: treats an O span as unlabelled, not as a negative example.

    R = weight · prior · E_entities[l(x, y)] + max(0, E_O[l(x, O)] - prior · E_entities[l(x, O)])
    l(x, y) = 1 - p(y | x)

The second term estimates the risk on true negatives: the risk on unlabelled spans minus the share that is due to the
entities among them. It is clipped at 0, and l is bounded; both keep the estimate stable. Peng et al., 2019. The means
are over the batch.
"""

from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.position_loss import independent
from ner_zoo.structures.structure import Structure


@Loss.register("positive_unlabelled")
class PositiveUnlabelled(Loss):
    """
    prior : share of entities among the unlabelled spans.
    weight : weight of the risk on entities. If it is too low, the loss is lowest without any entity: the default was
        selected on CoNLL04 with 80% of the annotations removed.
    """

    is_sum = False

    def __init__(self, prior: float = 0.01, weight: float = 200.0) -> None:
        super().__init__()
        if not 0.0 < prior < 1.0:
            raise ConfigurationError(
                f"prior is {prior}, but it is the share of entities among spans. Set it to a number from 0 to 1."
            )
        if weight <= 0:
            raise ConfigurationError(f"weight is {weight}. Set it to a number above 0.")
        self.prior = prior
        self.weight = weight

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        """The risk of the whole batch, repeated for each sentence: it is not defined for a single sentence."""
        structure = independent(structure, self)
        if structure.background < 0:
            raise ConfigurationError(
                "The loss positive_unlabelled needs the label O for unannotated spans, but there is no O among the "
                "labels. Given spans only have types: use `nll`."
            )
        gold = gold.masked_fill(~structure.mask, structure.background)
        positive, unlabelled = gold != structure.background, (gold == structure.background) & structure.mask
        probabilities = structure.marginals()
        miss = 1 - probabilities.gather(2, gold.unsqueeze(2)).squeeze(2)
        not_background = 1 - probabilities[..., structure.background]
        as_positive = self.prior * _mean(miss, positive)
        as_negative = _mean(not_background, unlabelled) - self.prior * _mean(not_background, positive)
        return (self.weight * as_positive + as_negative.clamp(min=0.0)).expand(len(gold))


def _mean(values: Tensor, where: BoolTensor) -> Tensor:
    """The mean, or 0 if there is nothing to average."""
    return values.masked_fill(~where, 0.0).sum() / where.sum().clamp(min=1)
