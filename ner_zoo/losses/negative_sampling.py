"""
Negative sampling: trains on only a few random O spans per step, so that unlabelled entities are rarely treated as
negatives.

    L = mean of loss(span) over the entities and int(rate · n) + 1 random O spans of each sentence of n tokens

Wraps any loss that is a sum over spans. Li, Liu and Shi, 2021.
"""

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.nll import NegativeLogLikelihood
from ner_zoo.losses.position_loss import independent
from ner_zoo.losses.scheduled_loss import ScheduledLoss
from ner_zoo.structures.independent import Independent
from ner_zoo.structures.labelled_spans import LabelledSpans
from ner_zoo.structures.structure import Structure


@Loss.register("negative_sampling")
class NegativeSampling(ScheduledLoss):
    """
    rate : number of O spans per token; 0.35 to 0.7 in the literature.
    loss : loss of the sampled spans (default: `nll`).
    seed : random seed of the sampling.
    """

    is_sum = False

    def __init__(self, rate: float = 0.35, loss: Loss | None = None, seed: int = 13370) -> None:
        super().__init__(seed)
        if rate < 0:
            raise ConfigurationError(f"rate is {rate}, but it is a number of O spans per token. Set it to 0 or more.")
        self.rate = rate
        self.loss = loss or NegativeLogLikelihood()
        if not self.loss.is_sum:
            raise ConfigurationError(
                f"{type(self).__name__} wraps a loss that is a sum over spans, but {type(self.loss).__name__} "
                f"considers all spans together. Use that loss alone, or wrap `nll`, `focal` or `nrces`."
            )
        self.handles_unknown = self.loss.handles_unknown

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        structure = independent(structure, self)
        kept = self._kept(structure, gold) if self.training else structure.mask
        part, labels = select(structure, gold, kept)
        # Divided by the mean number over the batch, so that the mean over sentences is the mean over all spans.
        return self.loss.per_sentence(part, labels) / kept.sum(1).float().mean().clamp(min=1.0)

    def log_weights(self, structure: Independent) -> Tensor:
        """The unnormalised log sampling weight of each span: `(batch, positions)`."""
        return structure.scores.new_zeros(structure.mask.shape)

    def _kept(self, structure: Independent, gold: LongTensor) -> BoolTensor:
        negative = (gold == structure.background) & structure.mask
        lengths = structure.lengths if isinstance(structure, LabelledSpans) else structure.mask.sum(1)
        wanted = (self.rate * lengths.double()).long() + 1
        # The top log weights with Gumbel noise are a weighted sample without replacement.
        uniform = self.uniform(*negative.shape).to(structure.scores.device)
        noise = -torch.log(-torch.log(uniform.double().clamp(min=1e-300, max=1 - 1e-16)))
        keys = (self.log_weights(structure).detach() + noise).masked_fill(~negative, -torch.inf)
        rank = keys.argsort(1, descending=True).argsort(1)
        return (negative & (rank < wanted.unsqueeze(1))) | (structure.mask & ~negative)


def select(structure: Independent, gold: LongTensor, kept: BoolTensor) -> tuple[Independent, LongTensor]:
    """The structure restricted to some positions, shifted to the left, and their gold labels."""
    width = int(kept.sum(1).max()) if kept.numel() else 0
    order = (~kept).long().argsort(dim=1, stable=True)[:, :width]
    places = order.unsqueeze(2).expand(-1, -1, structure.scores.shape[2])
    allowed = None if structure.allowed is None else structure.allowed.gather(1, places)
    mask = kept.gather(1, order)
    return Independent(structure.scores.gather(1, places), mask, structure.background, allowed), gold.gather(1, order)
