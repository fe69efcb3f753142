"""
EC (online shopping) and NEWS, Chinese with distant supervision: character TAB tag.

A character may be a SPACE or a control character. In the distantly labelled sentences, `ds_fa` tags everything outside
the dictionary as O; `ds_pa` tags it as UNK (unknown). `"train + ds_pa"` reads both files as one corpus.
"""

from ner_zoo.data.corpora.columns import ColumnCorpus
from ner_zoo.data.corpora.corpus import Corpus


@Corpus.register("ec")
@Corpus.register("news")
class News(ColumnCorpus):
    # A directory is read through its human annotation; its dictionaries and distant labels must be named explicitly.
    patterns = ("train", "dev", "test")
    tokenizer = "characters"

    def __init__(self, encoding: str | None = None) -> None:
        super().__init__(encoding=encoding, delimiter="\t", unknown_tag="UNK")
