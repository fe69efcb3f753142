"""
Adversarial training: each batch is seen twice, as it is and with the small change of its embeddings that hurts most.

    eta = epsilon g / ||g||,  g = gradient of the loss by the embeddings          loss = L(x) + weight L(x + eta)

Each sentence and each layer of embeddings (words, characters) has its own g and norm. The callback decorates the
trainer's `batch_outputs`, where there is the batch, autocast, and no backward pass yet, and returns one loss for the
one backward pass of the trainer. The first pass gives the gradients by parameters along with g: they are kept and
handed back in that backward pass, so that a step is two passes forward and two back. The value of the loss is that of
the clean batch.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TensorDict
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import Tensor

from ner_zoo.platform.run_callback import RunCallback
from ner_zoo.training.embedding_layer import EmbeddingLayer, embedding_module, token_embedders

# Beyond it the embeddings themselves would overflow.
MOST = 1e30

BatchOutputs = Callable[[TensorDict, bool], dict[str, Tensor]]


@TrainerCallback.register("adversarial_training")
class AdversarialTraining(RunCallback):
    """
    epsilon : the length of the change to a sentence, one for all embedders or one for each by name.
    weight : of the adversarial loss beside the clean one.
    embedders : names of the token embedders whose input vectors are changed: all of them, or those that `epsilon`
        names.
    norm : whether epsilon is `absolute`, as in the paper, or `relative` to the length of the sentence's own embeddings.
    start_epoch : the number of epochs that are trained on clean batches alone.
    """

    def __init__(
        self,
        serialization_dir: str,
        epsilon: float | dict[str, float] = 5.0,
        weight: float = 1.0,
        embedders: list[str] | None = None,
        norm: str = "absolute",
        start_epoch: int = 0,
    ) -> None:
        super().__init__(serialization_dir)
        if norm not in ("absolute", "relative"):
            raise ConfigurationError(f"There is no norm {norm!r}. Use absolute or relative.")
        sizes = [*(epsilon.values() if isinstance(epsilon, dict) else [epsilon]), weight]
        if None in sizes or not all(0.0 <= size <= MOST for size in sizes):
            raise ConfigurationError(
                f"epsilon is {epsilon} and the weight {weight}. Both are sizes: give numbers from 0 to {MOST:.0e}."
            )
        self.epsilon = epsilon
        self.weight = weight
        self.embedders = list(epsilon) if embedders is None and isinstance(epsilon, dict) else embedders
        self.is_relative = norm == "relative"
        self.start_epoch = start_epoch
        self.layers: list[EmbeddingLayer] = []
        self._is_on = False

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        self.trainer = trainer
        self.layers = self._layers_of(trainer.model)
        self._is_on = True
        clean = trainer.batch_outputs

        def batch_outputs(batch: TensorDict, for_training: bool) -> dict[str, Tensor]:
            # The trainer's own epoch, which is right after a resume as well.
            if self._is_on and for_training and trainer._epochs_completed >= self.start_epoch:
                return self._outputs(trainer, clean, batch)
            return clean(batch, for_training)

        trainer.batch_outputs = batch_outputs

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        # Another callback may have decorated what this one left: it is switched off rather than taken away.
        self._is_on = False
        for layer in self.layers:
            layer.remove()

    def _layers_of(self, model: Model) -> list[EmbeddingLayer]:
        named = token_embedders(model)
        chosen = list(named) if self.embedders is None else list(dict.fromkeys(self.embedders))
        if not chosen:
            raise ConfigurationError(
                "adversarial_training has no embedder to change, and would see each batch twice as it is. Name some of "
                f"the model's: {', '.join(named) or 'it has none'}."
            )
        for name in chosen:
            if name not in named or (isinstance(self.epsilon, dict) and name not in self.epsilon):
                raise ConfigurationError(
                    f"adversarial_training is to change the embedder {name!r} by epsilon {self.epsilon}, but the "
                    f"model's embedders are {', '.join(named) or 'none'}. Name some of those, each with an epsilon."
                )
        unreachable = [name for name in chosen if embedding_module(named[name]) is None]
        if unreachable:
            kinds = ", ".join(f"{name} ({type(named[name]).__name__})" for name in unreachable)
            raise ConfigurationError(
                f"adversarial_training cannot reach the input vectors of {kinds}, and changing their output would be "
                "another algorithm. Give `embedders` without them: "
                f"{[name for name in chosen if name not in unreachable]}. An embedder of your own can name the module "
                "that gives its input vectors in an attribute `input_embedding`."
            )
        epsilons = self.epsilon if isinstance(self.epsilon, dict) else dict.fromkeys(chosen, self.epsilon)
        return [EmbeddingLayer(named[n], epsilons[n], self.is_relative) for n in chosen]

    def _outputs(self, trainer: GradientDescentTrainer, clean: BatchOutputs, batch: TensorDict) -> dict[str, Tensor]:
        for layer in self.layers:
            layer.record()
        outputs = clean(batch, True)
        parameters = [parameter for parameter in trainer.model.parameters() if parameter.requires_grad]
        loss, gradients = self._gradients(trainer, outputs["loss"], parameters)
        # Through the wrapped model, or distributed workers would drift apart. Not through `batch_outputs`, or the
        # regularisation penalty would count twice.
        adversarial = trainer._pytorch_model(**batch)["loss"]
        for layer in self.layers:
            layer.rest()
        outputs["loss"] = KnownGradient.apply(loss, *gradients) + self.weight * (adversarial - adversarial.detach())
        return outputs

    def _gradients(
        self, trainer: GradientDescentTrainer, loss: Tensor, parameters: Sequence[Tensor]
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Sets the layers to change their outputs; the loss, and parameters followed by their gradients."""
        scale = trainer._scaler.get_scale() if trainer._scaler is not None else 1.0
        embedded = [output for layer in self.layers for output in layer.outputs]
        # The graph of the first pass is used up here: a buffer that distributed training changes in place before the
        # second pass, as it does, is needed by nobody any more.
        found = torch.autograd.grad(loss * scale, [*embedded, *parameters], allow_unused=True)
        # Half-precision copies of the weights that autocast keeps belong to the graph that is gone now.
        torch.clear_autocast_cache()
        by_output = iter(found)
        for layer in self.layers:
            layer.perturb([next(by_output) for _ in layer.outputs])
        used = [(p, g if scale == 1.0 else g / scale) for p, g in zip(parameters, by_output) if g is not None]
        return loss.detach(), tuple(p for p, _ in used) + tuple(g for _, g in used)


class KnownGradient(torch.autograd.Function):
    """A value whose gradient has been computed before: of (value, parameters..., gradients...)."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, *tensors: Tensor) -> Tensor:
        ctx.gradients = tensors[len(tensors) // 2 :]
        return value.clone()

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor | None, ...]:
        gradients = torch._foreach_mul(ctx.gradients, upstream)
        return (None, *gradients, *(None for _ in gradients))
