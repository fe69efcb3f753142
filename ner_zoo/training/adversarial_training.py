"""
Adversarial training: each batch is processed twice, unchanged and with the worst-case perturbation of its embeddings.

    eta = epsilon g / ||g||,  g = gradient of the loss wrt. the embeddings        loss = L(x) + weight L(x + eta)

Each sentence and each embedding layer (words, characters) has its own g and norm. The callback wraps the trainer's
`batch_outputs`, which has the batch and runs inside autocast before the backward pass, and returns one loss for the
trainer's single backward pass. The first pass computes the parameter gradients along with g; they are stored and
returned in that backward pass, so a step takes two forward and two backward passes. The reported loss is that of the
clean batch.
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

from ner_zoo.modules.lstm_recurrence import unchanged_weights
from ner_zoo.platform.run_callback import RunCallback
from ner_zoo.training.embedding_layer import EmbeddingLayer, embedding_module, token_embedders

# Above this, the embeddings themselves would overflow.
MOST = 1e30

BatchOutputs = Callable[[TensorDict, bool], dict[str, Tensor]]


@TrainerCallback.register("adversarial_training")
class AdversarialTraining(RunCallback):
    """
    epsilon : length of the perturbation of a sentence, one for all embedders or one per embedder name.
    weight : weight of the adversarial loss relative to the clean loss.
    embedders : names of the token embedders whose input vectors are perturbed (default: all, or those named in
        `epsilon`).
    norm : whether epsilon is `absolute`, as in the paper, or `relative` to the length of the sentence's own embeddings.
    start_epoch : number of epochs to train on clean batches alone.
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
            raise ConfigurationError(f"norm is {norm!r}. Set it to absolute or relative.")
        sizes = [*(epsilon.values() if isinstance(epsilon, dict) else [epsilon]), weight]
        if None in sizes or not all(0.0 <= size <= MOST for size in sizes):
            raise ConfigurationError(
                f"epsilon is {epsilon} and weight is {weight}. Set both to numbers from 0 to {MOST:.0e}."
            )
        self.epsilon = epsilon
        self.weight = weight
        self.embedders = list(epsilon) if embedders is None and isinstance(epsilon, dict) else embedders
        self.is_relative = norm == "relative"
        self.start_epoch = start_epoch
        self.layers: list[EmbeddingLayer] = []
        self.parameters: list[Tensor] = []
        self._is_on = False

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        self.layers = self._layers_of(trainer.model)
        self.parameters = list(trainer.model.parameters())
        self._is_on = True
        clean = trainer.batch_outputs

        def batch_outputs(batch: TensorDict, for_training: bool) -> dict[str, Tensor]:
            # The trainer's own epoch, which is also correct after resuming.
            if self._is_on and for_training and trainer._epochs_completed >= self.start_epoch:
                return self._outputs(trainer, clean, batch)
            return clean(batch, for_training)

        trainer.batch_outputs = batch_outputs

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        # Another callback may have wrapped this one's function, so it is disabled rather than removed.
        self._is_on = False
        for layer in self.layers:
            layer.remove()

    def _layers_of(self, model: Model) -> list[EmbeddingLayer]:
        named = token_embedders(model)
        chosen = list(named) if self.embedders is None else list(dict.fromkeys(self.embedders))
        if not chosen:
            raise ConfigurationError(
                f"adversarial_training has no embedder to perturb, so both passes would be the same. Set `embedders` "
                f"to some of the model's: {', '.join(named) or 'it has none'}."
            )
        for name in chosen:
            if name not in named or (isinstance(self.epsilon, dict) and name not in self.epsilon):
                raise ConfigurationError(
                    f"adversarial_training should perturb the embedder {name!r} by epsilon {self.epsilon}, but the "
                    f"model's embedders are {', '.join(named) or 'none'}. Name some of those, each with an epsilon."
                )
        unreachable = [name for name in chosen if embedding_module(named[name]) is None]
        if unreachable:
            kinds = ", ".join(f"{name} ({type(named[name]).__name__})" for name in unreachable)
            raise ConfigurationError(
                f"adversarial_training cannot access the input vectors of {kinds}, and perturbing their output would "
                f"be a different algorithm. Set `embedders` to "
                f"{[name for name in chosen if name not in unreachable]}. Your own embedder can name the module that "
                f"produces its input vectors in an attribute `input_embedding`."
            )
        epsilons = self.epsilon if isinstance(self.epsilon, dict) else dict.fromkeys(chosen, self.epsilon)
        return [EmbeddingLayer(named[n], epsilons[n], self.is_relative) for n in chosen]

    def _outputs(self, trainer: GradientDescentTrainer, clean: BatchOutputs, batch: TensorDict) -> dict[str, Tensor]:
        for layer in self.layers:
            layer.record()
        with unchanged_weights():
            outputs = clean(batch, True)
            gradients = self._gradients(trainer, outputs["loss"])
            # Frees the memory of the first pass before the second.
            loss = outputs["loss"] = outputs["loss"].detach()
            # Through the wrapped model, otherwise distributed workers would diverge. Not through `batch_outputs`,
            # otherwise the regularisation penalty would count twice.
            adversarial = trainer._pytorch_model(**batch)["loss"]
        for layer in self.layers:
            layer.rest()
        parameters, known = zip(*gradients)
        outputs["loss"] = WithAdversarial.apply(loss, adversarial, self.weight, known, *parameters)
        return outputs

    def _gradients(self, trainer: GradientDescentTrainer, loss: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Makes the layers perturb their outputs; returns the parameters with their gradients."""
        scale = trainer._scaler.get_scale() if trainer._scaler is not None else 1.0
        embedded = [output for layer in self.layers for output in layer.outputs]
        parameters = [parameter for parameter in self.parameters if parameter.requires_grad]
        # Frees the graph of the first pass, so that distributed training may modify buffers in place before the second
        # pass.
        found = torch.autograd.grad(loss * scale, [*embedded, *parameters], allow_unused=True)
        # Autocast's half-precision copies of the weights belong to the graph that was freed.
        torch.clear_autocast_cache()
        by_output = iter(found)
        for layer in self.layers:
            layer.perturb([next(by_output) for _ in layer.outputs])
        return [(p, g if scale == 1.0 else g / scale) for p, g in zip(parameters, by_output) if g is not None]


class WithAdversarial(torch.autograd.Function):
    """The clean loss, whose gradients are already known, with the gradients of the weighted adversarial loss added."""

    @staticmethod
    def forward(
        ctx: Any, clean: Tensor, adversarial: Tensor, weight: float, gradients: Sequence[Tensor], *parameters: Tensor
    ) -> Tensor:
        ctx.weight, ctx.gradients = weight, gradients
        return clean.clone()

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor | None, ...]:
        is_one = upstream.device.type == "cpu" and bool(upstream == 1.0)
        # Not kept, so that torch can add the adversarial gradients in place.
        gradients, ctx.gradients = ctx.gradients, ()
        gradients = gradients if is_one else torch._foreach_mul(gradients, upstream)
        return None, ctx.weight * upstream, None, None, *gradients
