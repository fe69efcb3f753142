"""
EC (online shopping) and NEWS, Chinese with distant supervision: character TAB tag.

A character may be a SPACE or a control character. Of the distantly labelled sentences, `ds_fa` writes what the
dictionary does not hold as O; `ds_pa` writes it as UNK: nobody knows its tag. `"train + ds_pa"` reads both files as
one corpus.
"""

from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus


@Corpus.register("ec")
@Corpus.register("news")
class News(ColumnCorpus):
    # A directory stands for what people have annotated; the dictionaries and distant labels beside it are asked for
    # by name.
    patterns = ("train", "dev", "test")
    tokenizer = "characters"

    def __init__(self, encoding: str | None = None) -> None:
        super().__init__(encoding=encoding, delimiter="\t", unknown_tag="UNK")
