"""
Scheduled sampling: gradually replaces gold tags by predicted ones in the input of a joint model's relation head.

    probability of the gold tag, per token = k / (k + exp(epoch / k))          otherwise the predicted tag

The trainer's own epoch is used at every batch, so a resumed run continues where it stopped.
"""

from math import exp
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides

from ner_zoo.losses.local_joint import LocalJointLoss
from ner_zoo.platform.run_callback import RunCallback


@TrainerCallback.register("scheduled_sampling")
class ScheduledSampling(RunCallback):
    """k : larger values use gold tags for longer: about half of them after `k log k` epochs."""

    def __init__(self, serialization_dir: str, k: float = 10.0) -> None:
        super().__init__(serialization_dir)
        if k <= 0:
            raise ConfigurationError(f"scheduled_sampling.k is {k}. Set it to a number above 0.")
        self.k = k

    def probability(self, epoch: int) -> float:
        # Beyond this the exponential overflows, and the probability is numerically 0.
        return self.k / (self.k + exp(epoch / self.k)) if epoch / self.k < 500 else 0.0

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        loss = getattr(trainer.model, "loss", None)
        if not isinstance(loss, LocalJointLoss):
            raise ConfigurationError(
                f"scheduled_sampling requires the model joint_relation, whose relations depend on tags, but this "
                f"model is a {type(trainer.model).__name__}. Remove the callback."
            )

        def set_probability(module: LocalJointLoss, inputs: Any) -> None:
            module.gold_probability = self.probability(trainer._epochs_completed)

        self.hooks.append(loss.register_forward_pre_hook(set_probability))
