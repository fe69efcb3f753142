"""
The sentences of a file, with two errors that no format can see by itself: the wrong reader, and offsets that are off.
"""

from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.auto import Auto, recognised
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs

CUT = "token cut at the edge of an entity"
# Of a few entities nothing can be said.
FEW = 3


def checked_sentences(corpus: Corpus, file: str, repairs: Repairs) -> Iterator[Sentence]:
    """
    The sentences of a file, as a stream. If not even the first can be read, the error names the readers that would take
    the file.
    """
    cut_before = repairs.counts[CUT]
    entities = 0
    is_begun = False
    try:
        for sentence in corpus.sentences(file, repairs):
            is_begun = True
            entities += len(sentence.entities)
            yield sentence
    except ConfigurationError as error:
        others = {} if is_begun or isinstance(corpus, Auto) else readers_that_fit(corpus, file)
        if not others:
            raise
        raise ConfigurationError(f"{error} {advice(others)}") from None
    check_offsets(file, entities, repairs, repairs.counts[CUT] - cut_before)


def check_offsets(file: str, entities: int, repairs: Repairs, cut: int) -> None:
    """An error if most entities begin or end inside a word."""
    if entities >= FEW and 2 * cut > entities:
        raise ConfigurationError(
            f"{file}: {cut} times in {entities} entities one begins or ends inside a word, first at "
            f"{repairs.where[CUT][0]}. Are the offsets off by one? They count characters from 0, and the end is not "
            'included. If entities really are parts of words, set the tokenizer to "characters".'
        )


def readers_that_fit(corpus: Corpus, file: str) -> dict[str, str]:
    """The readers that take a file for their own, with the reason, unless this corpus is one of them."""
    found = recognised(file)
    is_own = any(isinstance(corpus, Corpus.by_name(name)) for name in found)
    return {} if is_own else found


def advice(readers: dict[str, str]) -> str:
    """Which readers to use, in a sentence."""
    named = " or ".join(f'"{name}" ({reason})' for name, reason in readers.items())
    return f"The file would fit the reader {named}."
