"""
A corpus turns files into `Sentence`s. It knows files, not tensors.

What it has to repair on the way is counted in `Repairs` and reported once per file; what it cannot read is a
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
    """One subclass per file format; one registered name per corpus."""

    # The packages to load before all names are known.
    registered_in = ("ner_zoo.data.corpora",)

    # Files a directory is searched for, as glob patterns relative to it.
    patterns: tuple[str, ...] = ("*",)

    # What a reader of this corpus uses by default: registered names.
    view: str = "tags"
    tokenizer: str = "words"
    sentence_splitter: str = "rules"

    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        """The sentences of one file, read as a stream."""
        raise NotImplementedError

    @classmethod
    def recognises(cls, sample: Sample) -> str | None:
        """Why a file that begins like this is of this format, in a few words; None if it is not."""
        return None

    def files(self, path: str) -> list[str]:
        """
        The files behind a path: a file, a directory (searched for `patterns`, plain or gzip), a glob, or several of
        these joined by ` + `, in order. A later part may be given by its name alone if it lies beside the first:
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
                    "that holds the corpora."
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
                f"The directory {part} holds no file that matches {', '.join(self.patterns)}. "
                "Give the directory of the corpus, or a file."
            )
        return files

    def _inside(self, directory: str) -> list[str]:
        anywhere = os.path.join(glob.escape(directory), "**")
        patterns = [pattern + ending for pattern in self.patterns for ending in ("", ".gz")]
        found = {file for pattern in patterns for file in glob.glob(os.path.join(anywhere, pattern), recursive=True)}
        return sorted(file for file in found if os.path.isfile(file))
