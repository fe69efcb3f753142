"""Text to JSON."""

from ner_zoo.predictors.ner_zoo import NerZooPredictor

__all__ = ["NerZooPredictor"]
