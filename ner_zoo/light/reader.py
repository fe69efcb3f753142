"""
Runs the graphs of an exported model on sentences, and decodes their scores.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Sentence
from ner_zoo.labels.abilities import Abilities
from ner_zoo.labels.prediction import Prediction
from ner_zoo.light.chain import best, chunks_of
from ner_zoo.light.export_file import Export
from ner_zoo.light.pieces import PieceVectors
from ner_zoo.light.sessions import Graph
from ner_zoo.light.tags import Tags
from ner_zoo.light.words import WordVectors


class LightReader:
    """
    export : the exported model.
    threads : number of threads of its graphs.
    """

    labels: Abilities

    def __init__(self, export: Export, threads: int = 1) -> None:
        self.graphs = {name: Graph(name, graph, threads) for name, graph in export.graphs.items()}
        inputs = export.settings["inputs"]
        has_words = inputs != [] or "pieces" not in export.settings
        self.words = WordVectors.of(self.graphs["words"], inputs, export.vocabulary) if has_words else None
        self.pieces: PieceVectors | None = None
        if settings := export.settings.get("pieces"):
            self.column = settings["column"]
            self.pieces = PieceVectors(self.graphs["pieces"], export.tokenizer, settings, export.arrays["pieces.mix"])
        if self.words is None and self.pieces is None:
            raise ValueError("the export has no inputs")

    @property
    def has_encoder(self) -> bool:
        return self.pieces is not None

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        raise NotImplementedError

    def encode(self, sentences: Sequence[Sentence]) -> tuple[dict[str, ndarray], ndarray]:
        """The output of the encoder's graph for the sentences, and their lengths."""
        lengths = np.array([len(sentence.tokens) for sentence in sentences])
        embedded = self.embedded(sentences)
        mask = np.arange(embedded.shape[1]) < lengths[:, None]
        return self.graphs["encoder"]({"embedded": embedded, "mask": mask}), lengths

    def embedded(self, sentences: Sequence[Sentence]) -> ndarray:
        """The vectors of words `(batch, tokens, dim)`; those of an encoder start at its column."""
        if self.pieces is None:
            assert self.words is not None
            return self.words(sentences)
        vectors = self.pieces(sentences)
        if self.words is None:
            return vectors
        others = self.words(sentences)
        return np.concatenate([others[..., : self.column], vectors, others[..., self.column :]], -1)

    def lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        """The cost of each sentence in a batch: its tokens or, for a pretrained encoder, its word pieces."""
        if self.pieces is None:
            return [len(sentence.tokens) for sentence in sentences]
        pairs = zip(sentences, self.pieces.lengths(sentences))
        return [length if sentence.tokens else 0 for sentence, length in pairs]

    def fits(self, pieces: Sequence[Sequence[str]]) -> bool:
        return self.pieces is None or all(map(self.pieces.fits, pieces))


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
        predictions = self.read(sentences, lengths, scores, encoded)
        if top_k:
            for prediction, taggings in zip(predictions, self.labels.taggings(scores, lengths, top_k)):
                prediction.taggings = taggings
        return predictions

    def read(
        self, sentences: Sequence[Sentence], lengths: ndarray, scores: ndarray, encoded: Mapping[str, ndarray]
    ) -> list[Prediction]:
        """The prediction for each sentence, from the scores of tags and the output of the encoder's graph."""
        chunks = chunks_of(best(scores, lengths, self.labels.chain), lengths, self.labels.rules)
        return [Prediction(found) for found in self.labels.entities(scores, lengths, chunks, len(lengths))]
