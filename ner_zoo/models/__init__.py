"""Models: compositions of embedder, encoder, head and loss."""

from ner_zoo.models.tagger import Tagger

__all__ = ["Tagger"]
