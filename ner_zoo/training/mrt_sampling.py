"""
Minimum risk training: from a given epoch on, adds the expected risk over sampled outputs to the model's loss.

    L = local_weight * L_local + L_mrt

The risk is computed together with the local loss in the model's single forward pass: the encoder runs once, and
gradient accumulation, mixed precision, distributed training and a second (adversarial) pass see an ordinary loss. The
trainer's epoch decides at every batch whether the risk is added, so a resumed run continues correctly. Only if the
outputs are drawn without dropout, as in the published code, is there another forward pass, without gradients.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
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
    draw_with_dropout : whether the outputs are drawn from the model with dropout, like everything else in training;
        false draws them without it, as the published code does.
    """

    def __init__(
        self,
        serialization_dir: str,
        risk: Lazy[Loss],
        start_epoch: int = 0,
        local_weight: float = 1.0,
        draw_with_dropout: bool = True,
    ) -> None:
        super().__init__(serialization_dir)
        self.risk = risk
        self.start_epoch = start_epoch
        self.local_weight = local_weight
        self.draw_with_dropout = draw_with_dropout

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        model = trainer.model
        risk = self._risk_for(model)
        is_drawing = False

        def has_risk(module: Any) -> bool:
            # Keep the validation loss comparable across epochs.
            return module.training and trainer._epochs_completed >= self.start_epoch

        def add_risk(module: Any, inputs: tuple[Any, Any], local: Tensor) -> Tensor:
            if not has_risk(module):
                return local
            if is_drawing:
                risk.drawn = risk.draw(*inputs)
                return local
            return self.local_weight * local + risk(*inputs)

        def draw_first(module: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
            nonlocal is_drawing
            if has_risk(module) and not is_drawing:
                risk.drawn, is_drawing = None, True
                with torch.no_grad(), without_dropout(module):
                    module(*arguments, **named)
                is_drawing = False

        self.hooks.append(model.loss.register_forward_hook(add_risk))
        if not self.draw_with_dropout:
            self.hooks.append(model.register_forward_pre_hook(draw_first, with_kwargs=True))

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


@contextmanager
def without_dropout(model: Model) -> Iterator[None]:
    """Everything but the model itself, which would decode, and its loss is in evaluation mode."""
    parts = [part for part in model.children() if part is not model.loss]
    changed = [module for part in parts for module in part.modules() if module.training]
    for module in changed:
        module.training = False
    try:
        yield
    finally:
        for module in changed:
            module.training = True
