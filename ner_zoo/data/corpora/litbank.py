"""
LitBank, nested entities in novels: the `tsv` files (innermost level first, rows end in a TAB), or the `brat` files.
"""

from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.levels import NestedLevels
from ner_zoo.data.corpora.standoff import TokenisedStandoff
from ner_zoo.data.repairs import Repairs


@Corpus.register("litbank")
class Litbank(NestedLevels):
    """A directory is read through its `tsv` files or, if it has none, its `brat` files."""

    patterns = ("*.tsv",)

    @overrides
    def files(self, path: str) -> list[str]:
        try:
            found = super().files(path)
        except ConfigurationError:
            return self._standoff().files(path)
        # The two files of a pair are one document.
        return self._standoff().files(path) if any(map(is_standoff, found)) else found

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        return self._standoff().sentences(file, repairs) if is_standoff(file) else super().sentences(file, repairs)

    def _standoff(self) -> TokenisedStandoff:
        return TokenisedStandoff(encoding=self.encoding)


def is_standoff(file: str) -> bool:
    """Whether a file name belongs to a brat document."""
    return file.removesuffix(".gz").endswith((".ann", ".txt"))
