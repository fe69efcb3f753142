"""
A warning before a pretrained encoder is tuned with a learning rate that would destroy what it knows.

Rates of 1e-5 to 5e-5 are usual for encoders; the Adam rate of everything else, 1e-3, ruins one within an epoch.
"""

import logging
from typing import Any

from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides

logger = logging.getLogger(__name__)

HIGHEST = 1e-4


@TrainerCallback.register("encoder_rate")
class EncoderRate(TrainerCallback):
    """One of AllenNLP's default callbacks: no config need name it."""

    @overrides(check_signature=False)
    def on_start(  # type: ignore[override]
        self, trainer: GradientDescentTrainer, is_primary: bool = True, **kwargs: Any
    ) -> None:
        encoders = {
            name: {id(parameter) for parameter in module.parameters() if parameter.requires_grad}
            for name, module in trainer.model.named_modules()
            if isinstance(module, PretrainedTransformerEmbedder)
        }
        for name, tuned in encoders.items() if is_primary else ():
            rates = [
                # A schedule has changed `lr` already.
                group.get("initial_lr", group["lr"])
                for group in trainer.optimizer.param_groups
                if tuned & {id(parameter) for parameter in group["params"]}
            ]
            if max(rates, default=0.0) > HIGHEST:
                logger.warning(
                    f"The pretrained encoder {name} is tuned with a learning rate of {max(rates):g}, which destroys "
                    f"what it has learned: rates above {HIGHEST:g} do. Use use.encoder(NAME), which gives it a rate of "
                    "its own (parameter_groups of the optimizer), or frozen=true to leave it as it is."
                )
