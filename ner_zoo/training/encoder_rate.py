"""
Warns if a pretrained encoder is fine-tuned with a learning rate that would destroy its weights.

Usual rates for encoders are 1e-5 to 5e-5; the usual Adam rate for everything else, 1e-3, ruins an encoder within an
epoch.
"""

import logging

from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides

from ner_zoo.platform.run_callback import RunCallback

logger = logging.getLogger(__name__)

HIGHEST = 1e-4


@TrainerCallback.register("encoder_rate")
class EncoderRate(RunCallback):
    """Warns if the learning rate of a pretrained encoder is too high. One of the default callbacks."""

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        encoders = {
            name: {id(parameter) for parameter in module.parameters() if parameter.requires_grad}
            for name, module in trainer.model.named_modules()
            if isinstance(module, PretrainedTransformerEmbedder)
        }
        for name, tuned in encoders.items() if self.is_primary else ():
            rates = [
                # A scheduler has already changed `lr`.
                group.get("initial_lr", group["lr"])
                for group in trainer.optimizer.param_groups
                if tuned & {id(parameter) for parameter in group["params"]}
            ]
            if max(rates, default=0.0) > HIGHEST:
                logger.warning(
                    f"The pretrained encoder {name} is fine-tuned with a learning rate of {max(rates):g}; rates above "
                    f"{HIGHEST:g} destroy what it has learned. Use use.encoder(NAME), which gives it its own rate "
                    f"(parameter_groups of the optimizer), or frozen=true to keep it unchanged."
                )
