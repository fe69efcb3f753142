"""
A corpus turns files into `Sentence`s. It knows files, not tensors.

Whatever it has to mend on the way is counted in `Repairs` and reported once per file; what it cannot read is a
`ConfigurationError` with file and line.
"""

import glob
import gzip
import io
import logging
import os
from collections import Counter
from typing import Dict, Iterator, List

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence

logger = logging.getLogger(__name__)


class Repairs:
    """Counts what was mended, by kind, and remembers where it happened first."""

    def __init__(self, examples: int = 3) -> None:
        self.counts: Counter = Counter()
        self.where: Dict[str, List[str]] = {}
        self._examples = examples

    def add(self, kind: str, source: str, times: int = 1) -> None:
        """`kind` names the repair in a few words; `source` is `file:line`."""
        self.counts[kind] += times
        places = self.where.setdefault(kind, [])
        if len(places) < self._examples:
            places.append(source)

    def merge(self, other: "Repairs") -> None:
        for kind, count in other.counts.items():
            self.counts[kind] += count
            places = self.where.setdefault(kind, [])
            places.extend(other.where[kind][: self._examples - len(places)])

    def report(self, file: str) -> None:
        for kind, count in self.counts.items():
            logger.warning("%s: %s, %d times (first at %s)", file, kind, count, ", ".join(self.where[kind]))


class Corpus(Registrable):
    """One subclass per file format; one registered name per corpus."""

    # Files a directory is searched for, as glob patterns relative to it.
    patterns: tuple = ("*",)

    # What a reader of this corpus uses unless told otherwise: registered names.
    view: str = "tags"
    tokenizer: str = "words"
    sentence_splitter: str = "rules"

    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        """The sentences of one file, read as a stream."""
        raise NotImplementedError

    def files(self, path: str) -> List[str]:
        """
        The files behind a path: a file, a directory (searched for `patterns`), a glob, or several of these joined by
        ` + `, in order.
        """
        found: List[str] = []
        for part in path.split(" + "):
            part = os.path.expanduser(part.strip())
            if os.path.isfile(part):
                found.append(part)
            elif os.path.isdir(part):
                inside = sorted({f for p in self.patterns for f in glob.glob(os.path.join(part, "**", p), recursive=True)})
                inside = [f for f in inside if os.path.isfile(f)]
                if not inside:
                    raise ConfigurationError(
                        f"The directory {part} holds no file that matches {', '.join(self.patterns)}. "
                        "Give the directory of the corpus, or a file."
                    )
                found += inside
            else:
                matches = sorted(f for f in glob.glob(part, recursive=True) if os.path.isfile(f))
                if not matches:
                    raise ConfigurationError(
                        f"There is no corpus file at {part}. Check the path, or set NER_ZOO_DATA to the folder that holds the corpora."
                    )
                found += matches
        return found
