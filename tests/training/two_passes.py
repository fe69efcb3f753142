"""Manual adversarial training: two passes with plain hooks, and two plain calls of `backward`."""

from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.models import Model
from torch import Tensor

from ner_zoo.training.embedding_layer import embedding_module

TRAIN = "fixtures/demo/train.jsonl"


def model_and_instances(
    head: str = "crf", number: int = 28, loss: str = "nll", characters: dict[str, Any] | None = None
) -> tuple:
    """A small tagger without dropout, with frozen words and tuned characters, and instances indexed for it."""
    indexers = {
        "words": {"type": "single_id", "namespace": "words"},
        "characters": {"type": "characters", "min_padding_length": 1},
    }
    params = Params({"type": "span_json", "view": "tags", "token_indexers": indexers, "max_instances": number})
    instances = list(DatasetReader.from_params(params).read(TRAIN))
    vocab = Vocabulary.from_instances(instances)
    words = {"type": "embedding", "embedding_dim": 6, "vocab_namespace": "words", "trainable": False}
    encoder = {"type": "boe", "embedding_dim": 4, "averaged": True}
    letters = {"embedding_dim": 4, "vocab_namespace": "token_characters"}
    bag = {"type": "character_encoding", "embedding": letters, "encoder": encoder}
    embedders = {"words": words, "characters": characters or bag}
    torch.manual_seed(3)
    model = Model.from_params(
        vocab=vocab,
        params=Params(
            {
                "type": "tagger",
                "embedder": {"token_embedders": embedders},
                "encoder": {"type": "lstm", "hidden_size": 7, "bidirectional": True},
                "head": head,
                "loss": loss,
            }
        ),
    )
    return model.double(), instances


def tensors(model: Model, instances: list[Instance]) -> dict[str, Any]:
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return batch.as_tensor_dict()


def layers(model: Model) -> dict[str, torch.nn.Module]:
    embedders = model.embedder._token_embedders
    return {name: embedding_module(embedder) for name, embedder in embedders.items()}


def loss_with(model: Model, batch: dict[str, Any], added: dict[str, Tensor]) -> Tensor:
    """The loss with something added to the embeddings of words and characters; zeros by default."""

    def adder(name: str) -> Any:
        def add(module: torch.nn.Module, inputs: Any, output: Tensor) -> Tensor:
            added.setdefault(name, torch.zeros_like(output).requires_grad_())
            return output + added[name]

        return add

    handles = [module.register_forward_hook(adder(name)) for name, module in layers(model).items()]
    loss = model(**batch)["loss"]
    for handle in handles:
        handle.remove()
    return loss


def two_passes(model: Model, batch: dict[str, Any], epsilons: dict[str, float], weight: float, share: float) -> Tensor:
    """Adds a batch's gradients, clean and adversarial, to those of the model; returns the clean loss."""
    added: dict[str, Tensor] = {}
    clean = loss_with(model, batch, added)
    (clean * share).backward()
    changes = {}
    for name, zero in added.items():
        change = torch.zeros_like(zero)
        for sentence, gradient in enumerate(zero.grad):
            if float(gradient.norm()) > 0:
                change[sentence] = epsilons.get(name, 0.0) * gradient / gradient.norm()
        changes[name] = change
    (loss_with(model, batch, changes) * weight * share).backward()
    return clean.detach()
