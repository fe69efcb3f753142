"""
Converts structures back to entities and relations with their probabilities: the inverse of a view.

Names are loaded on demand: exported models use `prediction` and `mentions`, and must not import torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ner_zoo.labels.labels import Labels
    from ner_zoo.labels.pairs import PairLabels
    from ner_zoo.labels.prediction import Prediction, Tagging
    from ner_zoo.labels.spans import SpanLabels
    from ner_zoo.labels.tags import TagLabels

__all__ = ["Labels", "PairLabels", "Prediction", "SpanLabels", "TagLabels", "Tagging"]

FILES = {
    "Labels": "labels",
    "PairLabels": "pairs",
    "Prediction": "prediction",
    "SpanLabels": "spans",
    "TagLabels": "tags",
    "Tagging": "prediction",
}


def __getattr__(name: str) -> object:
    if name in FILES:
        return getattr(import_module(f"{__name__}.{FILES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
