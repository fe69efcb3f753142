"""
Partial likelihood: the total probability of all labellings that agree with the annotation. On a chain, a partial CRF.

    L = log Z - log sum over allowed y of q(y) exp(score(y))

At positions with an unknown gold label any label is allowed, elsewhere only the gold one. With complete annotation this
is the likelihood. q = 1 is the plain form; in the weighted form, q is a product over the unknown positions of a prior
probability of each label (`background_weight`), of the model's current probability (`self_weight`), or of both.
"""

from math import log

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.structure import UNKNOWN, Structure, allowed_labels


@Loss.register("partial_likelihood")
class PartialLikelihood(Loss):
    """
    background_weight : prior probability of O at an unannotated position; the other labels share the rest. None: all
        labels are treated alike.
    self_weight : exponent of the model's own probability of a label at unannotated positions; 0 to ignore it. Larger
        values make the model learn more from its own predictions.
    """

    handles_unknown = True

    def __init__(self, background_weight: float | None = None, self_weight: float = 0.0) -> None:
        super().__init__()
        if background_weight is not None and not 0.0 < background_weight < 1.0:
            raise ConfigurationError(
                f"background_weight is {background_weight}, but it must be a probability between 0 and 1. Leave it "
                f"out to treat all labels alike."
            )
        if self_weight < 0:
            raise ConfigurationError(f"self_weight is {self_weight}. Set it to 0 or more.")
        self.background_weight = background_weight
        self.self_weight = self_weight
        # Set by the callback `extend`: the only labels possible at unannotated positions, `(labels,)`.
        self.possible_where_unknown: BoolTensor | None = None

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        allowed = allowed_labels(gold, structure.scores.shape[2], self.possible_where_unknown)
        possible = structure.restrict(allowed)
        weighted = possible.plus(self._log_weights(possible) * (gold == UNKNOWN).unsqueeze(2))
        return structure.log_partition() - weighted.log_partition()

    def _log_weights(self, possible: Structure) -> Tensor:
        """log q of each label if its position is unknown: `(batch, positions, labels)`."""
        weights = torch.zeros_like(possible.scores)
        labels = weights.shape[2]
        if self.background_weight is not None and possible.background >= 0 and labels > 1:
            weights += log((1 - self.background_weight) / (labels - 1))
            weights[..., possible.background] = log(self.background_weight)
        if self.self_weight:
            marginals = possible.marginals().detach()
            # Bounded, so that a label with vanishing probability can recover.
            weights = weights + self.self_weight * marginals.clamp(min=1e-4).log()
        return weights
