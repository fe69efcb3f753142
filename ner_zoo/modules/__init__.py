"""Heads, which convert vectors to structures, embedders and encoders."""

from ner_zoo.modules.crf import Crf
from ner_zoo.modules.head import Head
from ner_zoo.modules.softmax import Softmax

__all__ = ["Crf", "Head", "Softmax"]
