"""
Measures the loss in F1 of an export: the same sentences, predicted by the model in torch and by its export.
"""

from collections.abc import Sequence
from typing import Any

from ner_zoo.annotation import Sentence
from ner_zoo.labels.prediction import Prediction
from ner_zoo.metrics.entity_f1 import EntityF1
from ner_zoo.metrics.relation_f1 import RelationF1
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from ner_zoo.predictors.text_predictor import TextPredictor


def gold_sentences(predictor: NerZooPredictor, file: str) -> list[Sentence]:
    """The annotated sentences of a file, read with the model's own reader."""
    reader: Any = predictor._dataset_reader
    sentences = [instance["metadata"].metadata for instance in reader.read(file)]
    if not any(sentence.entities for sentence in sentences):
        raise ConfigurationError(f"{file} has no entities, so there is no F1 to compare. Pass an annotated file.")
    return sentences


def f1_of(predictor: TextPredictor, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Entity F1 and, for a model with relations, relation F1, from 0 to 100."""
    documents = [Document.of_sentence(Sentence(sentence.tokens)) for sentence in sentences]
    predictor.annotate(documents)
    found = [document.predictions[0] for document in documents]
    scores = {"entity F1": _f1(EntityF1(), "entities", found, sentences)}
    if predictor.labels.has_relations:
        scores["relation F1"] = _f1(RelationF1(), "relations", found, sentences)
    return scores


def _f1(metric: EntityF1, part: str, found: Sequence[Prediction], sentences: Sequence[Sentence]) -> float:
    predicted = [[annotation for annotation, _ in getattr(one, part)] for one in found]
    metric(predicted, [getattr(one, part) for one in sentences])
    return 100 * metric.get_metric()[f"{metric.prefix}_f1"]
