"""
A corpus turns files into `Sentence`s. It handles files, not tensors.

Repairs made while reading are counted in `Repairs` and reported once per file. Unreadable input raises a
`ConfigurationError` with file and line.
"""

import glob
import os
from collections.abc import Iterator

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs


class Corpus(Registrable):
    """
    Base class of corpora: one subclass per file format, one registered name per corpus.

    encoding : encoding of the files (default: detected automatically).
    """

    # The packages to import before all names are registered.
    registered_in = ("ner_zoo.data.corpora",)

    # Glob patterns of the corpus files in a directory.
    patterns: tuple[str, ...] = ("*",)

    # Defaults for a reader of this corpus: registered names.
    view: str = "tags"
    tokenizer: str = "words"
    sentence_splitter: str = "rules"

    def __init__(self, encoding: str | None = None) -> None:
        self.encoding = encoding

    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        """Streams the sentences of one file."""
        raise NotImplementedError

    @classmethod
    def recognises(cls, sample: Sample) -> str | None:
        """The reason why a file with this beginning is in this format, in a few words; `None` if it is not."""
        return None

    def files(self, path: str) -> list[str]:
        """
        The files of a path: a file, a directory (searched for `patterns`, plain or gzip), a glob, or several of these
        joined by ` + `, in order. Later parts can be given by name alone if they are in the same folder as the first:
        `ec/train + ds_fa`.
        """
        if os.path.isfile(path):
            return [path]
        found: list[str] = []
        for part in path.split(" + "):
            part = os.path.expanduser(part.strip())
            beside = os.path.join(os.path.dirname(found[0]), part) if found else part
            files = self._files_of_part(part) or self._files_of_part(beside)
            if not files:
                raise ConfigurationError(
                    f"There is no corpus file at {part or path!r}. Check the path, or set NER_ZOO_DATA to the folder "
                    f"of your corpora."
                )
            found += files
        return found

    def _files_of_part(self, part: str) -> list[str]:
        if os.path.isfile(part):
            return [part]
        if not os.path.isdir(part):
            found = sorted(glob.glob(part, recursive=True))
            return [file for match in found for file in ([match] if os.path.isfile(match) else self._inside(match))]
        files = self._inside(part)
        if not files:
            raise ConfigurationError(
                f"The directory {part} contains no file that matches {', '.join(self.patterns)}. Pass the directory "
                f"of the corpus, or a file."
            )
        return files

    def _inside(self, directory: str) -> list[str]:
        anywhere = os.path.join(glob.escape(directory), "**")
        patterns = [pattern + ending for pattern in self.patterns for ending in ("", ".gz")]
        found = {file for pattern in patterns for file in glob.glob(os.path.join(anywhere, pattern), recursive=True)}
        return sorted(file for file in found if os.path.isfile(file))
