"""
Weak labels from another model: its predictions with a probability of at least `threshold`.

    {"type": "model", "archive": "old/model.tar.gz", "threshold": 0.9}

The archive is opened when the first sentence arrives, with the usual checks.
"""

from collections.abc import Sequence
from functools import cached_property

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak_source import WeakSource
from ner_zoo.platform.pretrained import model_path
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.loading import open_predictor
from ner_zoo.predictors.ner_zoo import NerZooPredictor


@WeakSource.register("model")
class ModelSource(WeakSource):
    """
    archive : a model archive, or the name of a model that ships with ner_zoo.
    threshold : minimum probability of an entity.
    types : the types to use, and their new names (default: all types, unchanged).
    priority : as for all sources.
    """

    def __init__(
        self, archive: str, threshold: float = 0.9, types: dict[str, str] | None = None, priority: int = 0
    ) -> None:
        super().__init__(priority)
        if not 0.0 <= threshold <= 1.0:
            raise ConfigurationError(f"threshold is {threshold}. It is a probability: set it to a number from 0 to 1.")
        self.archive = archive
        self.threshold = threshold
        self.types = types

    @cached_property
    def predictor(self) -> NerZooPredictor:
        predictor = open_predictor(model_path(self.archive), predictor_args={"strict": True})
        known = predictor.labels.types
        missing = sorted(set(self.types or ()) - set(known))
        if missing:
            raise ConfigurationError(
                f"{self.archive} does not have the type {missing[0]}. Use one of {', '.join(known)}."
            )
        return predictor

    @overrides
    def find(self, sentences: Sequence[Sentence], repairs: Repairs) -> list[list[Entity]]:
        documents = [Document.of_sentence(sentence) for sentence in sentences]
        self.predictor.annotate(documents)
        return [self._entities(document) for document in documents]

    def _entities(self, document: Document) -> list[Entity]:
        names = self.types
        return [
            Entity(entity.type if names is None else names[entity.type], entity.fragments)
            for prediction in document.predictions
            for entity, score in prediction.entities
            if score >= self.threshold and (names is None or entity.type in names)
        ]
