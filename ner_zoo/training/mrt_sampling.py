"""
Minimum risk training: from a given epoch on, adds the expected risk over sampled outputs to the model's loss.

    L = local_weight * L_local + L_mrt

The risk is computed together with the local loss in the model's single forward pass: the encoder runs once, and
gradient accumulation, mixed precision, distributed training and a second (adversarial) pass see an ordinary loss. The
trainer's epoch decides at every batch whether the risk is added, so a resumed run continues correctly.
"""

from typing import Any

from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import Tensor

from ner_zoo.losses import Loss
from ner_zoo.losses.minimum_risk import MinimumRisk
from ner_zoo.models.ner_model import labels_of
from ner_zoo.platform.run_callback import RunCallback


@TrainerCallback.register("mrt_sampling")
class MrtSampling(RunCallback):
    """
    risk : the loss `minimum_risk` with its options. The model provides the meaning of its tags.
    start_epoch : number of epochs to train with the local loss alone; 0 for a model that is already trained.
    local_weight : weight of the local loss next to the risk.
    """

    def __init__(
        self, serialization_dir: str, risk: Lazy[Loss], start_epoch: int = 0, local_weight: float = 1.0
    ) -> None:
        super().__init__(serialization_dir)
        self.risk = risk
        self.start_epoch = start_epoch
        self.local_weight = local_weight

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        risk = self._risk_for(trainer.model)

        def add_risk(module: Any, inputs: tuple[Any, Any], local: Tensor) -> Tensor:
            # Keep the validation loss comparable across epochs.
            if not module.training or trainer._epochs_completed < self.start_epoch:
                return local
            return self.local_weight * local + risk(*inputs)

        self.hooks.append(trainer.model.loss.register_forward_hook(add_risk))

    def _risk_for(self, model: Model) -> MinimumRisk:
        labels = labels_of(model)
        risk = self.risk.construct(vocab=model.vocab)
        if not isinstance(risk, MinimumRisk):
            raise ConfigurationError(
                f"The risk of mrt_sampling is {type(risk).__name__}, which does not sample. Set it to "
                f'{{"type": "minimum_risk", ...}}.'
            )
        if not labels.has_relations:
            # Check now, not in the epoch in which sampling starts.
            risk.refuse_relations()
        risk.rules = getattr(labels, "rules", risk.rules)
        return risk
