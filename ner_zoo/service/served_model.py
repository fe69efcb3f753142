"""
A served model: its archive, its predictor with a queue, and its model card.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ner_zoo.predictors.options import Options
from ner_zoo.predictors.text_predictor import TextPredictor, failing
from ner_zoo.service.batcher import Batcher
from ner_zoo.service.limits import Limits
from ner_zoo.service.monitoring import Metrics, log
from ner_zoo.service.reading import Reading
from ner_zoo.service.work import Piece, Work


class ServedModel:
    """
    name : the name in requests.
    predictor : predictor of the archive.
    card : the model card, in Markdown.
    """

    def __init__(self, name: str, predictor: TextPredictor, card: str) -> None:
        self.name = name
        self.predictor = predictor
        self.card = card
        self.batcher: Batcher | None = None
        self._metrics: Metrics

    @classmethod
    def load(cls, name: str, archive: str, cuda_device: int, predictor_args: dict[str, Any]) -> "ServedModel":
        """Loads an archive."""
        from ner_zoo.predictors.loading import load_predictor
        from ner_zoo.predictors.model_cards import card_of

        started = time.perf_counter()
        predictor = load_predictor(archive, cuda_device, predictor_args)
        log("model loaded", {"model": name, "seconds": round(time.perf_counter() - started, 2)})
        return cls(name, predictor, card_of(archive))

    @classmethod
    def load_export(cls, name: str, path: str, predictor_args: dict[str, Any]) -> "ServedModel":
        """Loads an exported model, without torch."""
        from ner_zoo.light.predictor import load_predictor

        started = time.perf_counter()
        predictor = load_predictor(path, predictor_args)
        log("model loaded", {"model": name, "seconds": round(time.perf_counter() - started, 2)})
        return cls(name, predictor, predictor.export.card or f"# {name}\n\nThis export has no model card.\n")

    def open(self, limits: Limits, metrics: Metrics, connections: Callable[[], float]) -> Batcher:
        """Starts accepting requests, in the running event loop."""
        self._metrics = metrics
        self.batcher = Batcher(self.advance, limits, self._observe, connections)
        return self.batcher

    def reading(self, inputs: Sequence[Any], options: Options, limits: Limits) -> Reading:
        """The work of predicting these inputs."""
        return Reading(inputs, options, self.predictor, limits)

    def advance(self, works: Sequence[Work]) -> None:
        """Takes one step of each work; runs in the model's thread."""
        with self._metrics.predict_seconds.labels(self.name).time():
            for work in works:
                work.begin()
            pieces = [piece for work in works for piece in work.pieces]
            # Taggings take time: requests without them do not wait for them.
            for top_k in {piece.top_k for piece in pieces}:
                some = [piece for piece in pieces if piece.top_k == top_k]
                for piece, error in failing(some, partial(self._read, top_k=top_k)):
                    piece.error = error
            for work in works:
                work.advance()
        for work in works:
            if isinstance(work, Reading) and work.is_done and work.error is None:
                self._count(work)

    def _read(self, pieces: Sequence[Piece], top_k: int) -> None:
        predictions = self.predictor.read([piece.sentence for piece in pieces], top_k)
        for piece, prediction in zip(pieces, predictions):
            piece.prediction = prediction

    def _count(self, reading: Reading) -> None:
        self._metrics.failures.labels(self.name).inc(sum(is_error for _, is_error in reading.result))
        self._metrics.tokens.labels(self.name).inc(reading.tokens)
        self._metrics.entities.labels(self.name).inc(reading.entities)

    def _observe(self, batch: int, queue: int) -> None:
        self._metrics.batch.labels(self.name).observe(batch)
        self._metrics.queue.labels(self.name).set(queue)
