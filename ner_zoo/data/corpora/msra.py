"""
MSRA, Chinese news: character TAB tag. Some sentences have thousands of characters.
"""

from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus


@Corpus.register("msra")
class Msra(ColumnCorpus):
    tokenizer = "characters"

    def __init__(self, encoding: str | None = None) -> None:
        super().__init__(encoding=encoding)
