"""
A view converts a `Sentence` to the fields of an Instance. It handles fields, not files.

Annotations that it cannot represent (nested entities in tags, entities wider than the limit) are counted. Metrics
compare with the sentence itself, so these entities still count in recall.
"""

from allennlp.common import Registrable
from allennlp.data.fields import Field

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs


class View(Registrable):
    """Base class of views: one subclass per kind of model input, selected by name in a reader's config."""

    default_implementation = "tags"

    # Whether the model is given the spans of the gold entities, and only has to predict their types.
    spans_are_given = False

    def inputs(self, sentence: Sentence) -> dict[str, Field]:
        """The input fields of a model besides the words, with or without gold annotations."""
        return {}

    def labels(self, sentence: Sentence, left_out: Repairs) -> dict[str, Field]:
        """The fields with the gold annotation; what cannot be represented is added to `left_out`."""
        raise NotImplementedError
