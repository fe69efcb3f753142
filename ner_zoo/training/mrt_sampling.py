"""
Minimum risk training: from an epoch on, the risk over sampled outputs is added to what the model minimises anyway.

    L = local_weight * L_local + L_mrt

The risk is computed where the local loss is, inside the model's one forward pass: the encoder runs once, and gradient
accumulation, mixed precision, distributed training and a second (adversarial) pass see one loss like any other.
Whether it is time is asked of the trainer's own epoch at every batch, so a resumed run goes on where it was.
"""

from typing import Any, Optional, Tuple

from allennlp.common.checks import ConfigurationError
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import Tensor

from ner_zoo.losses.local_joint import LocalJointLoss
from ner_zoo.losses.minimum_risk import MinimumRisk


@TrainerCallback.register("mrt_sampling")
class MrtSampling(TrainerCallback):
    """
    start_epoch : the number of epochs of training with the local loss alone; 0 for a model that is already trained.
    local_weight : of the local loss beside the risk.
    The rest is as for the loss `minimum_risk`: cost, num_samples (K), alpha, mu, gamma, rival, risk, epsilon,
    sample_relations, max_draws, and scheme and namespace of the tags.
    """

    def __init__(
        self,
        serialization_dir: str,
        start_epoch: int = 0,
        local_weight: float = 1.0,
        cost: str = "both",
        num_samples: int = 3,
        alpha: float = 1e-4,
        mu: float = 1.0,
        gamma: bool = False,
        rival: str = "any",
        risk: str = "paper",
        epsilon: float = 0.1,
        sample_relations: bool = True,
        max_draws: Optional[int] = None,
        scheme: str = "",
        namespace: str = "labels",
    ) -> None:
        super().__init__(serialization_dir)
        self.start_epoch = start_epoch
        self.local_weight = local_weight
        self._settings = (
            cost,
            num_samples,
            alpha,
            mu,
            gamma,
            rival,
            risk,
            epsilon,
            sample_relations,
            max_draws,
            scheme,
            namespace,
        )
        self._hook: Optional[Any] = None

    @overrides(check_signature=False)
    def on_start(self, trainer: GradientDescentTrainer, is_primary: bool = True) -> None:  # type: ignore[override]
        loss = getattr(trainer.model, "loss", None)
        if loss is None:
            raise ConfigurationError(
                f"mrt_sampling adds to the loss of a model, and {type(trainer.model).__name__} has none. Use the model "
                "`joint_relation` or `tagger`."
            )
        risk = MinimumRisk(trainer.model.vocab, *self._settings)
        if not isinstance(loss, LocalJointLoss):
            # Now, and not in the epoch in which sampling begins.
            risk.refuse_relations()

        def add_risk(module: Any, inputs: Tuple[Any, Any], local: Tensor) -> Tensor:
            # A validation loss stays comparable from epoch to epoch.
            if not module.training or trainer._epochs_completed < self.start_epoch:
                return local
            return self.local_weight * local + risk(*inputs)

        self._hook = loss.register_forward_hook(add_risk)

    @overrides(check_signature=False)
    def on_end(
        self, trainer: GradientDescentTrainer, metrics: Any = None, epoch: Any = None, is_primary: bool = True
    ) -> None:  # type: ignore[override]
        if self._hook is not None:
            self._hook.remove()
