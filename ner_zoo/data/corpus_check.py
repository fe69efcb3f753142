"""
Compares a copy of a corpus with its published counts, split by split.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ner_zoo.data.catalogue import CatalogueEntry
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.counts import Counts, published_counts
from ner_zoo.data.corpora.statistics import Statistics
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources


@dataclass(frozen=True)
class CheckedSplit:
    """
    path : path in the folder of corpora.
    read : the counts that the reader found; None if the file does not exist.
    published : None if no counts are published.
    repairs : number of repairs while reading.
    """

    path: str
    read: Counts | None
    published: Counts | None
    repairs: int = 0

    @property
    def differences(self) -> dict[str, int]:
        """The differences from the published counts, by what is counted."""
        if self.read is None or self.published is None:
            return {}
        pairs = zip(Counts._fields, self.read, self.published)
        return {name: (found or 0) - known for name, found, known in pairs if known is not None and found != known}

    @property
    def verdict(self) -> str:
        if self.read is None:
            return "missing"
        if self.published is None:
            return "no published counts"
        details = ", ".join(f"{name} {more:+,}" for name, more in self.differences.items())
        return f"differs: {details}" if details else "as published"

    @property
    def is_wrong(self) -> bool:
        return self.read is None or bool(self.differences)


def check(entry: CatalogueEntry, folder: Path) -> Iterator[CheckedSplit]:
    """Reads every split of a corpus in `folder`."""
    corpus = cast(type[Corpus], Corpus.by_name(entry.reader))()
    for split in entry.splits:
        choices = split.split(" or ")
        places = [(path, folder / f"{path}{ending}") for path in choices for ending in ("", ".gz")]
        found = next(((path, place) for path, place in places if place.exists()), None)
        if found is None:
            yield CheckedSplit(split, None, published_counts(entry.reader, choices[0]))
        else:
            yield checked(corpus, entry.reader, *found)


def checked(corpus: Corpus, reader: str, path: str, place: Path) -> CheckedSplit:
    statistics, repairs = Statistics(), Repairs()
    for source in sources(corpus, str(place)):
        for sentence in source.sentences(repairs):
            statistics.add(sentence)
    read = Counts(*(getattr(statistics, name) for name in Counts._fields))
    return CheckedSplit(path, read, published_counts(reader, path), sum(repairs.counts.values()))
