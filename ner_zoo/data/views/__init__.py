"""Views convert a Sentence to an Instance: `tags`, `spans`, `joint`."""

from ner_zoo.data.views.joint import Joint
from ner_zoo.data.views.spans import Spans
from ner_zoo.data.views.tags import Tags
from ner_zoo.data.views.view import View

__all__ = ["Joint", "Spans", "Tags", "View"]
