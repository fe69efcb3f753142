"""
Learning from positive and unlabelled spans: an O is not a negative example, but one without a label.

    R = weight · prior · E_entities[l(x, y)] + max(0, E_O[l(x, O)] - prior · E_entities[l(x, O)])
    l(x, y) = 1 - p(y | x)

The second term estimates the risk on true negatives: that on unlabelled spans less the share of it that is due to the
entities among them. It cannot be negative, and l is bounded; both keep the estimate from running away. Peng et al.,
2019. The means go over the batch.
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
    prior : the share of entities among the unlabelled spans.
    weight : how much more the risk on entities counts.
    """

    is_sum = False

    def __init__(self, prior: float = 0.02, weight: float = 20.0) -> None:
        super().__init__()
        if not 0.0 < prior < 1.0:
            raise ConfigurationError(f"prior is {prior}, but it is the share of entities among spans. Give 0 to 1.")
        if weight <= 0:
            raise ConfigurationError(f"weight is {weight}. Give a number above 0.")
        self.prior = prior
        self.weight = weight

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        """The risk of the whole batch, for each of its sentences: the estimate has no meaning for one sentence."""
        structure = independent(structure, self)
        if structure.background < 0:
            raise ConfigurationError(
                "The loss positive_unlabelled needs a label for what is not annotated, and there is no O among the "
                "labels. Spans that are given have types alone: use `nll`."
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
    """0 where there is nothing to take a mean of."""
    return values.masked_fill(~where, 0.0).sum() / where.sum().clamp(min=1)
