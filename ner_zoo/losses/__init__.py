"""Objectives, each a few lines over a structure's verbs."""

from ner_zoo.losses.loss import Loss
from ner_zoo.losses.nll import NegativeLogLikelihood

__all__ = ["Loss", "NegativeLogLikelihood"]
