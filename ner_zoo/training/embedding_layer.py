"""
An embedding layer whose output can be recorded in one pass of a model and perturbed in the next.
"""

from collections.abc import Sequence
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import (
    Embedding,
    PassThroughTokenEmbedder,
    PretrainedTransformerEmbedder,
    PretrainedTransformerMismatchedEmbedder,
    TokenCharactersEncoder,
    TokenEmbedder,
)
from torch import Tensor

from ner_zoo.structures.log_space import at_least_float32
from ner_zoo.training.worst_change import worst_change


def token_embedders(model: torch.nn.Module) -> dict[str, TokenEmbedder]:
    """The token embedders of a model, by the names of their indexers."""
    parts = [module for module in model.modules() if isinstance(module, BasicTextFieldEmbedder)]
    return {name: embedder for part in parts for name, embedder in part._token_embedders.items()}


def embedding_module(embedder: TokenEmbedder) -> torch.nn.Module | None:
    """
    The module of a token embedder that produces the vectors of words, characters or word pieces, before any encoder;
    `None` if unknown. An embedder can name it in an attribute `input_embedding`.
    """
    if hasattr(embedder, "input_embedding"):
        return embedder.input_embedding
    if isinstance(embedder, TokenCharactersEncoder):
        return embedder._embedding
    if isinstance(embedder, PretrainedTransformerMismatchedEmbedder):
        embedder = embedder._matched_embedder
    if isinstance(embedder, PretrainedTransformerEmbedder):
        return embedder.transformer_model.get_input_embeddings()
    if isinstance(embedder, Embedding):
        return embedder if embedder._projection is None else None
    return embedder if isinstance(embedder, PassThroughTokenEmbedder) else None


class EmbeddingLayer:
    """
    embedder : the output `(rows, ..., dim)` of its `embedding_module` is perturbed. A sentence is one row, or several
        consecutive rows if an encoder reads it in windows.
    epsilon : length of the perturbation.
    is_relative : whether that length is relative to the length of the sentence's embeddings.

    outputs : the outputs of the module in the recorded pass, one per call.
    """

    def __init__(self, embedder: TokenEmbedder, epsilon: float, is_relative: bool) -> None:
        self.epsilon = epsilon
        self.is_relative = is_relative
        self.outputs: list[Tensor] = []
        self._sentences: list[int] = []
        self._changes: list[Tensor] = []
        self._is_recording = self._is_perturbing = False
        module = embedding_module(embedder)
        assert module is not None
        self._handles = [
            module.register_forward_hook(self._hook),
            embedder.register_forward_hook(self._count),
        ]

    def record(self) -> None:
        """Starts recording outputs."""
        self.rest()
        self._is_recording = True

    def perturb(self, gradients: Sequence[Tensor | None]) -> None:
        """Starts perturbing outputs, given the gradients of the loss with respect to the recorded ones."""
        changes = [self._change(*each) for each in zip(self.outputs, gradients, self._sentences)]
        self.rest()
        self._changes = changes
        self._is_perturbing = True

    def rest(self) -> None:
        """Stops recording and perturbing."""
        self.outputs, self._sentences, self._changes = [], [], []
        self._is_recording = self._is_perturbing = False

    def remove(self) -> None:
        self.rest()
        for handle in self._handles:
            handle.remove()

    def _hook(self, module: torch.nn.Module, inputs: Any, output: Tensor) -> Tensor:
        if self._is_recording:
            # Frozen embeddings have no gradient unless requested.
            output = output if output.requires_grad else output.detach().requires_grad_()
            self.outputs.append(output)
        elif self._is_perturbing:
            if not self._changes or self._changes[0].shape != output.shape:
                raise ConfigurationError(
                    f"{type(module).__name__} produces different embeddings in the second pass over a batch than in "
                    f"the first, so adversarial_training cannot perturb them. Remove it from `embedders`."
                )
            output = output + self._changes.pop(0)
        return output

    def _count(self, embedder: torch.nn.Module, inputs: Any, output: Tensor) -> None:
        if self._is_recording:
            self._sentences.append(len(output))

    def _change(self, output: Tensor, gradient: Tensor | None, sentences: int) -> Tensor:
        if gradient is None:
            return torch.zeros_like(output)
        shape = sentences, -1, output.shape[-1]
        vectors, gradients = (at_least_float32(part.detach()).reshape(shape) for part in (output, gradient))
        return worst_change(vectors, gradients, self.epsilon, self.is_relative).view_as(output).to(output.dtype)
