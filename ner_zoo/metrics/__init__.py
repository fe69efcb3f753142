"""Metrics on decoded annotations."""

from ner_zoo.metrics.entity_f1 import EntityF1

__all__ = ["EntityF1"]
