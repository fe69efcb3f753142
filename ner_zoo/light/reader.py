"""
An exported model as a reader of sentences: graphs make scores of words, and labels make predictions of scores.
"""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Sentence
from ner_zoo.labels.abilities import Abilities
from ner_zoo.labels.prediction import Prediction
from ner_zoo.light.export_file import Export
from ner_zoo.light.sessions import Graph
from ner_zoo.light.tags import Tags, token_lengths
from ner_zoo.light.words import WordVectors


class LightReader:
    """
    export : of the model.
    threads : that its graphs work with.
    """

    labels: Abilities
    has_encoder = False

    def __init__(self, export: Export, threads: int = 1) -> None:
        self.graphs = {name: Graph(name, graph, threads) for name, graph in export.graphs.items()}
        self.words = WordVectors.of(self.graphs["words"], export.settings["inputs"], export.vocabulary)

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        raise NotImplementedError

    def encode(self, sentences: Sequence[Sentence]) -> tuple[dict[str, ndarray], ndarray]:
        """What the encoder's graph says of the sentences, and how long they are."""
        lengths = token_lengths(sentences)
        embedded = self.words(sentences)
        mask = np.arange(embedded.shape[1]) < lengths[:, None]
        return self.graphs["encoder"]({"embedded": embedded, "mask": mask}), lengths

    def lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        return [len(sentence.tokens) for sentence in sentences]

    def fits(self, pieces: Sequence[Sequence[str]]) -> bool:
        return True


class TagReader(LightReader):
    """A tagger."""

    labels: Tags

    def __init__(self, export: Export, threads: int = 1) -> None:
        super().__init__(export, threads)
        self.labels = Tags.of(export.settings, export.arrays)

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        self.labels.check_top_k(top_k)
        encoded, lengths = self.encode(sentences)
        scores = self.labels.scaled(encoded["scores"])
        predictions = self.labels.read(scores, lengths)
        if top_k:
            for prediction, taggings in zip(predictions, self.labels.taggings(scores, lengths, top_k)):
                prediction.taggings = taggings
        return predictions
