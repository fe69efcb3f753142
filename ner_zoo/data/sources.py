"""
Resolves corpus paths to files, and to parts of them for corpora without a development split.

    ec/train + ds_fa                       two files
    msra/train* [all but every 10th]       training data
    msra/train* [every 10th]               development data, excluded from training
    nyt/dev* or nyt/train* [every 10th]    the first that exists
    ec/train [fold 2 in folds.json]        see `folds`

The part is in the path and not in the reader, so that a model trained on a part of one file is evaluated on the whole
of another.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.folds import FOLD, FoldPart, fold_parts
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.source_checks import checked_sentences

PART = re.compile(r"^(?P<path>.*\S)\s*\[(?P<but>all but )?every (?P<every>\d+)(st|nd|rd|th)\]$")


@dataclass(frozen=True)
class Part:
    """Every n-th document or sentence, starting with the first, or all the others."""

    every: int
    is_rest: bool

    def __contains__(self, number: int) -> bool:
        return (number % self.every == 0) != self.is_rest


@dataclass(frozen=True)
class Source:
    """A file of a corpus, or a part of its sentences; `fold` is a part of that part."""

    corpus: Corpus
    file: str
    part: Part | None = None
    fold: FoldPart | None = None

    def sentences(self, repairs: Repairs) -> Iterator[Sentence]:
        """Streams the sentences."""
        found = checked_sentences(self.corpus, self.file, repairs)
        for part in (self.part, self.fold):
            found = found if part is None else _selected(found, part)
        return found


def _selected(sentences: Iterator[Sentence], part: Part | FoldPart) -> Iterator[Sentence]:
    return (sentence for number, sentence in enumerate(sentences) if number in part)


def sources(corpus: Corpus, path: str) -> list[Source]:
    """
    The files of a path, in order. `[every 10th]` selects whole files if there are at least ten, otherwise sentences of
    each file.
    """
    if os.path.isfile(path):
        return [Source(corpus, path)]
    reference = FOLD.match(path)
    if reference is not None:
        whole = sources(corpus, reference["path"])
        parts = fold_parts(reference, [source.file for source in whole])
        return [replace(source, fold=part) for source, part in zip(whole, parts)]
    missing: list[ConfigurationError] = []
    for alternative in path.split(" or "):
        plain, part = divided(alternative.strip())
        try:
            files = corpus.files(plain)
        except ConfigurationError as error:
            missing.append(error)
            continue
        if part is None or len(files) < part.every:
            return [Source(corpus, file, part) for file in files]
        return [Source(corpus, file) for number, file in enumerate(files) if number in part]
    raise missing[0]


def divided(path: str) -> tuple[str, Part | None]:
    """Splits a path into the path proper and its `[every n-th]` part."""
    found = PART.match(path)
    if found is None:
        return path, None
    every = int(found["every"])
    if every < 2:
        raise ConfigurationError(f"{path!r} leaves nothing to train on. Use a larger number, such as every 10th.")
    return found["path"], Part(every, found["but"] is not None)
