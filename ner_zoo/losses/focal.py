"""
Focal loss: per-position cross-entropy that down-weights positions that are already right.

    p = softmax(scores), q = p[gold]      L = sum_t -(1 - q_t)^gamma log q_t      Lin et al., 2017; Zhou et al., 2019

The code published by Zhou et al. takes the mean over positions and also pushes down every wrong label:

    L = mean_t [ -(1 - q_t)^gamma log q_t - sum_{k != gold} p_tk^gamma log(1 - p_tk) ]
"""

from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.structures.structure import Structure


@Loss.register("focal")
class Focal(Loss):
    """
    gamma : focusing parameter, how fast the weight falls as a position becomes right; 0 is cross-entropy.
    reduction : `sum` over the positions of a sentence, as in the paper and in the likelihood of a chain, or `mean`.
    wrong_labels : whether to add terms for the wrong labels.
    """

    def __init__(self, gamma: float = 2.0, reduction: str = "sum", wrong_labels: bool = False) -> None:
        super().__init__()
        if not gamma >= 0.0:
            raise ConfigurationError(f"gamma is {gamma}. Set it to 0 or more.")
        if reduction not in ("sum", "mean"):
            raise ConfigurationError(f"There is no reduction {reduction!r}. Use `sum` or `mean`.")
        self.gamma = gamma
        self.is_mean = reduction == "mean"
        self.wrong_labels = wrong_labels

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        labels = gold.masked_fill(~structure.mask, 0).unsqueeze(2)
        log_p = structure.scores.log_softmax(2)
        log_q = log_p.gather(2, labels).squeeze(2)  # (batch, positions)
        # Kept above 0, where a power below 1 would have an infinite gradient.
        wrong = (-log_q.expm1()).clamp(min=1e-7)
        loss = -(wrong**self.gamma) * log_q
        if self.wrong_labels:
            loss = loss + self._of_wrong_labels(log_p).scatter(2, labels, 0.0).sum(2)
        total = loss.masked_fill(~structure.mask, 0.0).sum(1)
        return total / structure.mask.sum(1).clamp(min=1) if self.is_mean else total

    def _of_wrong_labels(self, log_p: Tensor) -> Tensor:
        """The terms of the wrong labels."""
        right = (-log_p.expm1()).clamp(min=1e-7)
        return -((self.gamma * log_p).exp()) * right.log()
