"""
The words of a batch, and its distinct words: what does not depend on the context of a word is computed once for each
distinct word.
"""

from allennlp.data.fields.text_field import TextFieldTensors
from torch import LongTensor


class DistinctWords(dict):
    """
    A dictionary of the tensors of a text field, as usual, with two attributes.

    distinct : the tensors of one sentence: padding, then the distinct words.
    places : `(batch, tokens)`, the position of each token's word in that sentence; 0 for padding.
    """

    def __init__(self, words: TextFieldTensors, distinct: TextFieldTensors, places: LongTensor) -> None:
        super().__init__(words)
        self.distinct = distinct
        self.places = places
