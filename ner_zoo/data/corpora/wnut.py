"""
WNUT 2016 and 2017, entities in tweets: token TAB tag.

Rows that start with `#` are tokens, a line with a single TAB ends a sentence, and there is no quoting.
"""

from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus


@Corpus.register("wnut")
class Wnut(ColumnCorpus):
    patterns = ("*.conll", "*.annotated", "train", "dev", "test")
    tokenizer = "tweets"

    def __init__(self, encoding: str | None = None) -> None:
        super().__init__(encoding=encoding)
