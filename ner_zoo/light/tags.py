"""
Decodes scores of tags into entities, with their exact probabilities and the best taggings.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Entity
from ner_zoo.labels.abilities import Abilities
from ner_zoo.labels.prediction import Scored, Tagging
from ner_zoo.light.chain import ChunkRules, Chunks, Transitions, chunks_of
from ner_zoo.light.chain_sums import Sums
from ner_zoo.light.n_best import n_best


class Tags(Abilities):
    """
    types : the entity types.
    chain : the transition scores of tags.
    rules : which tags form entities.
    temperature : divisor of the scores of tokens; those of `chain` are already divided.
    """

    has_taggings = True
    types: list[str] = []

    def __init__(self, types: list[str], chain: Transitions, rules: ChunkRules, temperature: float) -> None:
        self.types = types
        self.chain = chain
        self.rules = rules
        self.temperature = temperature

    @classmethod
    def of(cls, settings: Mapping[str, Any], arrays: Mapping[str, ndarray]) -> Self:
        """Built from the parts of an export."""
        chain = Transitions(arrays["transitions"], arrays["start"], arrays["end"])
        rules = ChunkRules(arrays["chunk_starts"], arrays["chunk_continues"], arrays["chunk_kinds"])
        return cls(settings["labels"]["types"], chain, rules, settings["temperature"])

    def scaled(self, scores: ndarray) -> ndarray:
        return scores / np.float32(self.temperature) if self.temperature != 1.0 else scores

    def taggings(self, scores: ndarray, lengths: ndarray, k: int) -> list[list[Tagging]]:
        """The `k` most probable labellings of each sentence, best first; fewer if there are no more."""
        labels, totals = n_best(scores, lengths, self.chain, k)
        log_probabilities = totals - Sums(scores, lengths, self.chain).log_partition
        chunks = chunks_of(labels.reshape(-1, labels.shape[2]), np.tile(lengths, k), self.rules)
        rows = iter(self.entities(scores, lengths, chunks, k * len(lengths)))
        found: list[list[Tagging]] = [[] for _ in lengths]
        for of_batch in log_probabilities.tolist():
            for taggings, log_probability, entities in zip(found, of_batch, rows):
                if log_probability > -np.inf:
                    taggings.append(Tagging(min(log_probability, 0.0), tuple(entities)))
        return found

    def entities(self, scores: ndarray, lengths: ndarray, chunks: Chunks, rows: int) -> list[list[Scored]]:
        """The entities of the chunks of `rows` labellings; there may be several labellings per sentence."""
        values = self.chunk_probabilities(scores, lengths, chunks._replace(row=chunks.row % len(lengths)))
        # In single precision, like torch, so that the same values underflow.
        values = values.astype(np.float32)
        found: list[list[Scored]] = [[] for _ in range(rows)]
        for row, first, last, kind, value in zip(*(part.tolist() for part in (*chunks, values))):
            found[row].append((Entity.of(self.types[kind], first, last), value))
        return found

    def chunk_probabilities(self, scores: ndarray, lengths: ndarray, chunks: Chunks) -> ndarray:
        """Computes sums only for sentences that have a chunk."""
        rows, row = np.unique(chunks.row, return_inverse=True)
        if not len(rows):
            return np.zeros(0)
        longest = lengths[rows].max()
        sums = Sums(scores[rows, :longest], lengths[rows], self.chain)
        return sums.chunk_probabilities(chunks._replace(row=row), self.rules)
