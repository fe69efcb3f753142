"""
Part of a corpus that has no development split of its own: every n-th document, or all the others.

    {"type": "held_out", "of": "msra", "every": 10}                                training
    {"type": "held_out", "of": "msra", "every": 10, "is_held_out": true}           validation

Where the corpus has fewer than n files, every n-th sentence takes the place of a document.
"""

from typing import Iterator, List

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus, Repairs


@Corpus.register("held_out")
class HeldOut(Corpus):
    """
    of : the corpus that is divided.
    every : one document or sentence in so many is held out, the first of all among them.
    is_held_out : whether this is the part that is held out, or the rest.
    """

    def __init__(self, of: Corpus, every: int = 10, is_held_out: bool = False) -> None:
        if every < 2:
            raise ConfigurationError(f"every is {every}, which leaves nothing to train on. Give 2 or more.")
        self.of = of
        self.every = every
        self.is_held_out = is_held_out
        self.view, self.tokenizer, self.sentence_splitter = of.view, of.tokenizer, of.sentence_splitter
        self._by_file = False

    @overrides
    def files(self, path: str) -> List[str]:
        files = self.of.files(path)
        self._by_file = len(files) >= self.every
        return [file for number, file in enumerate(files) if self._is_mine(number)] if self._by_file else files

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        for number, sentence in enumerate(self.of.sentences(file, repairs)):
            if self._by_file or self._is_mine(number):
                yield sentence

    def _is_mine(self, number: int) -> bool:
        return (number % self.every == 0) == self.is_held_out
