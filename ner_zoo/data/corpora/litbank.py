"""
LitBank, entities in novels, nested: the `tsv` files (innermost level first, rows end in a TAB), or the `brat` files.
"""

from typing import Iterator

from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus, Repairs
from ner_zoo.data.corpora.levels import NestedLevels


@Corpus.register("litbank")
class Litbank(NestedLevels):
    patterns = ("*.tsv",)
