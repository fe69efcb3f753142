"""
Reads the sentences of a file, and detects two errors that no format can detect itself: the wrong reader, and wrong
offsets.
"""

from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.auto import Auto, recognised
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs

CUT = "token split at an entity boundary"
# Too few entities are not conclusive.
FEW = 3


def checked_sentences(corpus: Corpus, file: str, repairs: Repairs) -> Iterator[Sentence]:
    """
    Streams the sentences of a file. If not even the first one can be read, the error lists the readers that recognise
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
        if not others or any(f'"{name}"' in str(error) for name in others):
            raise
        raise ConfigurationError(f"{error} {advice(others)}") from None
    check_offsets(file, entities, repairs, repairs.counts[CUT] - cut_before)


def check_offsets(file: str, entities: int, repairs: Repairs, cut: int) -> None:
    """Raises an error if most entities start or end inside a word."""
    if entities >= FEW and 2 * cut > entities:
        raise ConfigurationError(
            f"{file}: {cut} entity boundaries in {entities} entities are inside a word, the first at "
            f"{repairs.where[CUT][0]}. Check whether the offsets are off by one: they count characters from 0, and "
            f'ends are exclusive. If entities really are parts of words, set the tokenizer to "characters".'
        )


def readers_that_fit(corpus: Corpus, file: str) -> dict[str, str]:
    """The readers that recognise a file, with the reason, unless this corpus is one of them."""
    found = recognised(file)
    is_own = any(isinstance(corpus, Corpus.by_name(name)) for name in found)
    return {} if is_own else found


def advice(readers: dict[str, str]) -> str:
    """A sentence that suggests readers."""
    named = " or ".join(f'"{name}" ({reason})' for name, reason in readers.items())
    return f"The file matches the reader {named}."
