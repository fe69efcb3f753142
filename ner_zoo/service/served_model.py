"""
A model that is served: its archive, its predictor with a queue before it, and its card.
"""

import tarfile
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ner_zoo.predictors import NerZooPredictor
from ner_zoo.predictors.loading import load_predictor
from ner_zoo.predictors.prediction import Options
from ner_zoo.service.batcher import Batcher
from ner_zoo.service.limits import Limits
from ner_zoo.service.monitoring import Metrics, log
from ner_zoo.service.responses import to_bytes
from ner_zoo.training.model_card import CARD


class ServedModel:
    """
    name : how requests ask for it.
    predictor : of the archive.
    card : the model card, in Markdown.
    """

    def __init__(self, name: str, predictor: NerZooPredictor, card: str) -> None:
        self.name = name
        self.predictor = predictor
        self.card = card
        self.batcher: Optional[Batcher] = None
        self._metrics: Optional[Metrics] = None

    @classmethod
    def load(cls, name: str, archive: str, cuda_device: int, predictor_args: Dict[str, Any]) -> "ServedModel":
        """From an archive."""
        started = time.perf_counter()
        predictor = load_predictor(archive, cuda_device, predictor_args)
        log("model loaded", {"model": name, "seconds": round(time.perf_counter() - started, 2)})
        return cls(name, predictor, card_of(archive))

    def open(self, limits: Limits, metrics: Metrics) -> Batcher:
        """Begin to take requests, in the running event loop."""
        self._metrics = metrics
        self.batcher = Batcher(self.predict, limits, self._observe)
        return self.batcher

    def predict(self, inputs: Sequence[Any], options: Sequence[Options]) -> List[Tuple[bytes, bool]]:
        """The outputs as JSON, and whether each is an error; runs in the model's thread."""
        assert self._metrics is not None
        with self._metrics.predict_seconds.labels(self.name).time():
            outputs = self.predictor.predict_all(inputs, options)
        failures = sum("error" in output for output in outputs)
        self._metrics.failures.labels(self.name).inc(failures)
        self._metrics.tokens.labels(self.name).inc(sum(len(output.get("tokens", ())) for output in outputs))
        self._metrics.entities.labels(self.name).inc(sum(len(output.get("entities", ())) for output in outputs))
        return [(to_bytes(output), "error" in output) for output in outputs]

    def _observe(self, batch: int, queue: int) -> None:
        assert self._metrics is not None
        self._metrics.batch.labels(self.name).observe(batch)
        self._metrics.queue.labels(self.name).set(queue)


def card_of(archive: str) -> str:
    """The card in the archive, or beside it."""
    path = Path(archive)
    if path.is_file() and tarfile.is_tarfile(path):
        with tarfile.open(path) as tar:
            if CARD in tar.getnames():
                card = tar.extractfile(CARD)
                if card is not None:
                    return card.read().decode("utf-8")
    beside = (path if path.is_dir() else path.parent) / CARD
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    return f"# {path.name}\n\nThis archive has no model card. `allennlp train` writes one.\n"
