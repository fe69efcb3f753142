"""
Streams sentences as lists of words, from plain text or from any corpus or dataset reader.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.data.fields import TextField
from allennlp.data.tokenizers import Tokenizer

from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.text_file import lines
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources


@dataclass(frozen=True)
class Text:
    """
    files : plain or gzip; with a reader, anything it accepts.
    reader, reader_params : a corpus or dataset reader, and its options as JSON. None for plain text with one sentence
        per line.
    tokenizer : tokenizer for lines of plain text; None to split at spaces.
    lowercase : whether to lower-case words.
    """

    files: tuple[str, ...]
    reader: str | None = None
    reader_params: str = "{}"
    tokenizer: str | None = None
    lowercase: bool = False

    def __call__(self) -> Iterator[list[str]]:
        """All sentences, from the beginning."""
        for file in self.files:
            for words in self._plain(file) if self.reader is None else self._read(file):
                yield [word.lower() for word in words] if self.lowercase else words

    def identity(self) -> str:
        """Identifies the text: the current files, and how they are read."""
        found = [(file, os.stat(file)) for file in self.files if os.path.isfile(file)]
        return repr((self, [(file, status.st_size, status.st_mtime) for file, status in found]))

    def _plain(self, file: str) -> Iterator[list[str]]:
        if not os.path.isfile(file):
            raise ConfigurationError(f"There is no file {file!r}. Pass text files, or a --reader for a corpus.")
        cut = Tokenizer.by_name(self.tokenizer)() if self.tokenizer else None
        for _, line in lines(file):
            yield line.split() if cut is None else [token.text for token in cut.tokenize(line)]

    def _read(self, file: str) -> Iterator[list[str]]:
        params = Params(self._parameters())
        if self.reader in Corpus.list_available():
            corpus: Any = Corpus.by_name(self.reader).from_params(params)
            for source in sources(corpus, file):
                for sentence in source.sentences(Repairs()):
                    yield list(sentence.tokens)
            return
        for instance in DatasetReader.by_name(self.reader or "").from_params(params).read(file):
            for field in instance.fields.values():
                if isinstance(field, TextField):
                    yield [token.text for token in field.tokens]

    def _parameters(self) -> dict[str, Any]:
        try:
            found = json.loads(self.reader_params)
        except ValueError as error:
            raise ConfigurationError(f"--reader-params is not JSON ({error}): {self.reader_params!r}.") from error
        if not isinstance(found, dict):
            raise ConfigurationError(f"--reader-params is {self.reader_params!r}. Pass a JSON object, such as {{}}.")
        return found
