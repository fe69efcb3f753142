"""
Exports a tagger: the graph from word vectors to scores of tags, and tables of the tags.
"""

from typing import Any

import numpy as np
import torch
from numpy import ndarray
from torch import BoolTensor, Tensor

from ner_zoo.exporting.graphs import Example, PartOfModel, graph_of
from ner_zoo.labels.tags import TagLabels
from ner_zoo.models.tagger import Tagger
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.structures import Independent, LinearChain, Structure

TOKENS = ("batch", "tokens")


class TagGraph(PartOfModel):
    """Encoder, layers above it, and head."""

    def forward(self, embedded: Tensor, mask: BoolTensor) -> Tensor:
        encoded = self.model.encoder(embedded, mask)
        if self.model.feedforward is not None:
            encoded = self.model.feedforward(encoded)
        return self.model.head(encoded, mask).scores


def encoder_examples(dim: int) -> list[Example]:
    """Sentences of random vectors, longest first, as torch's packing requires."""
    found: list[Example] = []
    for lengths in ([4, 3, 1], [1], [9, 9, 7, 2, 2]):
        mask = torch.arange(lengths[0]) < torch.tensor(lengths).unsqueeze(1)
        found.append({"embedded": torch.randn(len(lengths), lengths[0], dim), "mask": mask})
    return found


def tagger_parts(model: Tagger) -> tuple[dict[str, Any], dict[str, ndarray], dict[str, bytes]]:
    """The label settings, arrays and graphs of a traceable tagger."""
    examples = encoder_examples(model.embedder.get_output_dim())
    axes = dict.fromkeys(("embedded", "mask", "scores"), TOKENS)
    graph = graph_of("encoder and head", TagGraph(model), examples, ["scores"], axes)
    labels: Any = model.labels
    return (
        tag_settings(labels),
        tag_arrays(labels, structure_of(model, examples[0]), model.temperature),
        {"encoder": graph},
    )


def structure_of(model: Any, example: Example) -> Structure:
    """The head's structure for any input: its transitions are the same for all sentences."""
    with torch.no_grad():
        encoded = model.encoder(example["embedded"], example["mask"])
        feedforward = getattr(model, "feedforward", None)
        return model.head(encoded if feedforward is None else feedforward(encoded), example["mask"])


def tag_settings(labels: TagLabels) -> dict[str, Any]:
    return {"types": list(labels.types), "names": list(labels.names), "scheme": labels.scheme}


def tag_arrays(labels: TagLabels, structure: Structure, temperature: float) -> dict[str, ndarray]:
    """The transition scores of tags, and which transitions start and continue entities."""
    number = len(labels.names)
    if isinstance(structure, LinearChain):
        legal = structure._raw().legal()
        parts = [part.detach().numpy() / temperature for part in (legal.transitions, legal.start, legal.end)]
    elif type(structure) is Independent:
        parts = [np.zeros((number, number)), np.zeros(number), np.zeros(number)]
    else:
        raise ConfigurationError(f"A head with the structure {type(structure).__name__} cannot be exported.")
    transitions, start, end = (part.astype(np.float32) for part in parts)
    starts, continues, kinds = (table.numpy() for table in labels.rules)
    rules = {"chunk_starts": starts, "chunk_continues": continues, "chunk_kinds": kinds}
    return {"transitions": transitions, "start": start, "end": end, **rules}
