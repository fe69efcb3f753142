"""
Reads any supported file: the format is detected from the beginning of the file, and logged with the reason.

If several formats match, or none, the user must name the reader.
"""

import json
import logging
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter
from ner_zoo.platform.screen import NOTE

logger = logging.getLogger(__name__)


@Corpus.register("auto")
class Auto(Corpus):
    """
    tokenizer, sentence_splitter : for raw-text formats.
    encoding : encoding of the files (default: detected automatically).
    """

    def __init__(
        self,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        encoding: str | None = None,
    ) -> None:
        given = {"tokenizer": tokenizer, "sentence_splitter": sentence_splitter, "encoding": encoding}
        self.options = {name: value for name, value in given.items() if value is not None}
        self._chosen: dict[str, Corpus] = {}

    @overrides
    def files(self, path: str) -> list[str]:
        """The files of a path; a folder in a folder-based format is detected as a whole."""
        if os.path.isdir(path) and recognised(path):
            corpus = self._corpus(path)
            files = corpus.files(path)
            self._chosen.update(dict.fromkeys(files, corpus))
            return files
        found = [file for file in super().files(path) if not os.path.basename(file).startswith((".", "README"))]
        texts = {os.path.splitext(file)[0] + ".txt" for file in found if file.endswith(".ann")}
        return [file for file in found if file not in texts]

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        yield from self._corpus(file).sentences(file, repairs)

    def _corpus(self, path: str) -> Corpus:
        """The corpus for a path, created once and logged."""
        if path not in self._chosen:
            name, reason = the_only_format(path)
            self._chosen[path] = _made(name, self.options, path)
            announce(path, name, reason)
        return self._chosen[path]


@cache
def announce(path: str, name: str, reason: str) -> None:
    """Logs the detected format once per file, although training reads its data again for the model card."""
    logger.warning("Reading %s as %s: %s.", path, name, reason, extra=NOTE)


def recognised(path: str) -> dict[str, str]:
    """The readers that recognise a file or folder, with the reason for each."""
    return recognised_in(Sample.of(path))


def recognised_in(sample: Sample) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(Corpus.list_available()):
        corpus = Corpus.by_name(name)
        # A subclass reads one corpus in its parent's format, and does not detect the format.
        if "recognises" in vars(corpus):
            reason = corpus.recognises(sample)
            if reason:
                found[name] = reason
    return found


def the_only_format(path: str) -> tuple[str, str]:
    """The reader for a file or folder, and the reason; an error unless exactly one matches."""
    found = recognised(path)
    if not found:
        sample = Sample.of(path)
        names = ", ".join(sorted(Corpus.list_available()))
        raise ConfigurationError(
            f"{path}:1 is not in a known format: {mixture(sample) or sample.shown()}. Name the reader: one of {names}."
        )
    if len(found) > 1:
        reasons = "; ".join(f"{name} ({reason})" for name, reason in found.items())
        raise ConfigurationError(f"{path}:1 matches more than one reader: {reasons}. Name the reader to use.")
    [(name, reason)] = found.items()
    return name, reason


def mixture(sample: Sample) -> str:
    """Describes which formats are mixed in a file, if the records are in different ones."""
    formats: dict[str, int] = {}
    for number, record in enumerate(sample.records, 1):
        for name in recognised_in(Sample(sample.file, json.dumps(record).encode(), True)):
            formats.setdefault(name, number)
    places = " and ".join(f"record {number} is in the format {name}" for name, number in formats.items())
    return f"it mixes formats: {places}" if len(set(formats.values())) > 1 else ""


def _made(name: str, options: dict[str, Any], path: str) -> Corpus:
    try:
        return Corpus.by_name(name)(**options)
    except TypeError:
        raise ConfigurationError(
            f"{path} is read as {name}, which has no option {' or '.join(sorted(options))}. Remove it, or name the "
            f"reader."
        ) from None
