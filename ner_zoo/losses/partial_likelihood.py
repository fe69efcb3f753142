"""
Partial likelihood: all labellings that the annotation allows, together, must be probable. On a chain, the partial CRF.

    L = log Z - log sum over allowed y of q(y) exp(score(y))

Where the gold label is unknown any label is allowed; elsewhere only the gold one. With everything annotated it is the
likelihood. q = 1 is the plain form; in the weighted one, q is a product over the unknown positions of what is thought
of each label beforehand (`background_weight`), of what the model thinks of it now (`self_weight`), or of both.
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
    background_weight : the probability of O at a position that nobody has annotated; the other labels share the rest.
        None: all labels alike.
    self_weight : the power to which the model's own probability of a label counts there; 0 for not at all. The larger,
        the more the model learns from what it already believes.
    """

    handles_unknown = True

    def __init__(self, background_weight: float | None = None, self_weight: float = 0.0) -> None:
        super().__init__()
        if background_weight is not None and not 0.0 < background_weight < 1.0:
            raise ConfigurationError(
                f"background_weight is {background_weight}, but it is a probability between 0 and 1. Leave it out to "
                "treat all labels alike."
            )
        if self_weight < 0:
            raise ConfigurationError(f"self_weight is {self_weight}. Give 0 or more.")
        self.background_weight = background_weight
        self.self_weight = self_weight
        # Set by the callback `extend`: where nothing is known, these labels alone are possible, `(labels,)`.
        self.possible_where_unknown: BoolTensor | None = None

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        allowed = allowed_labels(gold, structure.scores.shape[2], self.possible_where_unknown)
        possible = structure.restrict(allowed)
        weighted = possible.plus(self._log_weights(possible) * (gold == UNKNOWN).unsqueeze(2))
        return structure.log_partition() - weighted.log_partition()

    def _log_weights(self, possible: Structure) -> Tensor:
        """log q of each label, were its position unknown: `(batch, positions, labels)`."""
        weights = torch.zeros_like(possible.scores)
        labels = weights.shape[2]
        if self.background_weight is not None and possible.background >= 0 and labels > 1:
            weights += log((1 - self.background_weight) / (labels - 1))
            weights[..., possible.background] = log(self.background_weight)
        if self.self_weight:
            marginals = possible.marginals().detach()
            # Bounded, so that a label which the model has given up can come back.
            weights = weights + self.self_weight * marginals.clamp(min=1e-4).log()
        return weights
