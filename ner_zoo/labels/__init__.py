"""From a structure back to entities and relations, with their probabilities: the inverse of a view."""

from ner_zoo.labels.labels import Labels
from ner_zoo.labels.pairs import PairLabels
from ner_zoo.labels.prediction import Prediction, Tagging
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.labels.tags import TagLabels

__all__ = ["Labels", "PairLabels", "Prediction", "SpanLabels", "TagLabels", "Tagging"]
