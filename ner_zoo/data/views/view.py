"""
A view turns a `Sentence` into the fields of an Instance. It knows fields, not files.

What it cannot hold (nested entities in a row of tags, entities wider than the limit) it counts; the metric compares
with the sentence itself and so still asks for it.
"""

from allennlp.common import Registrable
from allennlp.data.fields import Field

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs


class View(Registrable):
    """One subclass per kind of model input; chosen in a reader's config by name."""

    default_implementation = "tags"

    # Whether a model is given the spans of the gold entities, and only has to find their types.
    spans_are_given = False

    def inputs(self, sentence: Sentence) -> dict[str, Field]:
        """The fields that a model needs beside the words, with or without gold annotations."""
        return {}

    def labels(self, sentence: Sentence, left_out: Repairs) -> dict[str, Field]:
        """The fields that hold the gold annotation; what does not fit is added to `left_out`."""
        raise NotImplementedError
