"""Losses, each a few lines in terms of a structure's operations."""

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.nll import NegativeLogLikelihood

__all__ = ["Loss", "NegativeLogLikelihood"]
