"""
Sparse labels over any grid of positions (tokens, spans, pairs), most of which are background.

Only non-background labels are stored, so the Python time for reading is per entity, not per position. A position with
an unknown label (`None`, or a label not seen in training) becomes `UNKNOWN`.
"""

import math
from typing import Any

import torch
from allennlp.data import Vocabulary
from allennlp.data.fields import Field
from overrides import overrides

from ner_zoo.structures.structure import UNKNOWN


class LabelsField(Field[torch.Tensor]):
    """
    shape : shape of the grid, e.g. `(tokens,)` or `(entities, entities)`.
    labels : the labels of non-background positions; `None` where any label may be correct.
    background : label of all other positions.
    """

    __slots__ = ["_background_number", "_numbers", "background", "labels", "namespace", "shape"]

    def __init__(
        self,
        shape: tuple[int, ...],
        labels: dict[tuple[int, ...], str | None],
        background: str = "O",
        namespace: str = "labels",
    ) -> None:
        self.shape = shape
        self.labels = labels
        self.background = background
        self.namespace = namespace
        self._numbers: list[int] = []
        self._background_number = UNKNOWN

    @overrides
    def count_vocab_items(self, counter: dict[str, dict[str, int]]) -> None:
        counts = counter[self.namespace]
        size = math.prod(self.shape)
        if size > len(self.labels):
            counts[self.background] += size - len(self.labels)
        for label in self.labels.values():
            if label is not None:
                counts[label] += 1

    @overrides
    def index(self, vocab: Vocabulary) -> None:
        numbers = vocab.get_token_to_index_vocabulary(self.namespace)
        self._background_number = numbers.get(self.background, UNKNOWN)
        self._numbers = [UNKNOWN if label is None else numbers.get(label, UNKNOWN) for label in self.labels.values()]

    @overrides
    def get_padding_lengths(self) -> dict[str, int]:
        return {f"dimension_{i}": length for i, length in enumerate(self.shape)}

    @overrides
    def as_tensor(self, padding_lengths: dict[str, int]) -> torch.Tensor:
        size = [padding_lengths[f"dimension_{i}"] for i in range(len(self.shape))]
        tensor = torch.full(size, max(self._background_number, 0), dtype=torch.long)
        if self._background_number == UNKNOWN:
            tensor[tuple(slice(length) for length in self.shape)] = UNKNOWN
        if self._numbers:
            tensor[tuple(torch.tensor(list(self.labels)).unbind(1))] = torch.tensor(self._numbers)
        return tensor

    @overrides
    def empty_field(self) -> "LabelsField":
        return LabelsField((0,) * len(self.shape), {}, self.background, self.namespace)

    @overrides
    def human_readable_repr(self) -> dict[str, Any]:
        return {"background": self.background, "labels": {str(k): v for k, v in self.labels.items()}}
