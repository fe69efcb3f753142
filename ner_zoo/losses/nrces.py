"""
Noise-robust cross entropy with sigmoid: a span labelled O may be an unlabelled entity.

    L_ce      = -log p(y)
    L_sigmoid = 1 - sigmoid(z_y)
    L_cs      = beta · L_ce + (1 - beta) · L_sigmoid          beta = exp(-e / w)
    NRCES     = L_ce · [y is an entity] + L_cs · [y is O]

z are the scores before the softmax, e is the number of completed epochs. The sigmoid is bounded, and its gradient
sigmoid·(1 - sigmoid) vanishes where the model is confident of the opposite, exactly where cross entropy pulls hardest.
The paper contains two errors: equation 6 prints the sigmoid term without the sign that makes it a loss, and section 5.3
swaps the limits of w (a large w keeps cross entropy for longer, as equation 8 says). Without annotation noise, plain
cross entropy (`nll`) is the better loss.
"""

from math import exp

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.position_loss import cross_entropy, independent
from ner_zoo.losses.scheduled_loss import ScheduledLoss
from ner_zoo.structures.structure import Structure

WHERE = ("entities", "background", "all", "none")


@Loss.register("nrces")
class Nrces(ScheduledLoss):
    """
    w : how slowly cross entropy is replaced by the sigmoid; use small values if many entities are missing. The paper
        tries 2, 5 and 10.
    keep : share of O spans to use, sampled in each epoch; 1 is the ablation "without random sampling".
    cross_entropy_on, robust_on : where L_ce and L_cs apply: `entities`, `background`, `all` or `none`. The paper's
        ablations are without sigmoid: all, none; without separate training: none, all; without the indicator of O:
        entities, all; without the indicator of entities: all, background.
    seed : random seed of the sampling.
    """

    def __init__(
        self,
        w: float = 5.0,
        keep: float = 0.5,
        cross_entropy_on: str = "entities",
        robust_on: str = "background",
        seed: int = 13370,
    ) -> None:
        super().__init__(seed)
        if w <= 0:
            raise ConfigurationError(f"w is {w}, but must be above 0. The paper tries 2, 5 and 10.")
        if not 0.0 <= keep <= 1.0:
            raise ConfigurationError(
                f"keep is {keep}, but it is the share of O spans to keep. Set it to a number from 0 to 1."
            )
        for name, value in (("cross_entropy_on", cross_entropy_on), ("robust_on", robust_on)):
            if value not in WHERE:
                raise ConfigurationError(f"{name} is {value!r}. Use one of {', '.join(WHERE)}.")
        self.w = w
        self.keep = keep
        self.cross_entropy_on = cross_entropy_on
        self.robust_on = robust_on

    @overrides
    def per_sentence(self, structure: Structure, gold: LongTensor) -> Tensor:
        structure = independent(structure, self)
        is_background = gold == structure.background
        l_ce = cross_entropy(structure, gold)  # (batch, positions)
        z = structure.scores.gather(2, gold.masked_fill(~structure.mask, 0).unsqueeze(2)).squeeze(2)
        beta = self.beta()
        l_cs = beta * l_ce + (1 - beta) * (1 - z.sigmoid())
        total = l_ce * _at(self.cross_entropy_on, is_background) + l_cs * _at(self.robust_on, is_background)
        return total.masked_fill(~(structure.mask & self._kept(is_background)), 0.0).sum(1)

    def beta(self) -> float:
        return 1.0 if self.robust_on == "none" else exp(-self.epochs_trained() / self.w)

    def _kept(self, is_background: BoolTensor) -> BoolTensor:
        if not self.training or self.keep == 1.0:
            return torch.ones_like(is_background)
        return (self.uniform(*is_background.shape).to(is_background.device) < self.keep) | ~is_background


def _at(where: str, is_background: BoolTensor) -> Tensor:
    """1 where a term applies, 0 elsewhere."""
    on_entities, on_background = where in ("entities", "all"), where in ("background", "all")
    return torch.where(is_background, float(on_background), float(on_entities))
