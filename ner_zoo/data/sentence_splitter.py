"""
Cuts raw text into sentences: character spans, in order, that cover everything but white space. `sentence_rules` has
the rules; here they are parts of configs.
"""

from collections.abc import Iterator, Sequence

from allennlp.common import Registrable
from overrides import overrides

from ner_zoo.data.sentence_rules import Lines, Paragraphs, SentenceRules, StopRules, WholeText


class SentenceSplitter(SentenceRules, Registrable):
    """Subclasses say where sentences may begin."""

    default_implementation = "rules"


@SentenceSplitter.register("none")
class NoSplitter(WholeText, SentenceSplitter):
    """The text is one sentence."""


class GivenBreaks(SentenceSplitter):
    """Sentences begin where the document says."""

    def __init__(self, places: Sequence[int]) -> None:
        self.places = places

    @overrides
    def breaks(self, text: str) -> Iterator[int]:
        return iter(self.places)


@SentenceSplitter.register("lines")
class LineSplitter(Lines, SentenceSplitter):
    """A line is a sentence."""


@SentenceSplitter.register("paragraphs")
class ParagraphSplitter(Paragraphs, SentenceSplitter):
    """Sentences end at empty lines."""


@SentenceSplitter.register("rules")
class RuleSplitter(StopRules, SentenceSplitter):
    """
    A sentence ends at a full stop, question or exclamation mark and the quotes and brackets that close after it, if
    white space follows and then no lower-case letter; not after an abbreviation, an initial or the number of a list
    item. An empty line always ends it.

    newline : what a single line end means: it `splits` too, or is a `space` like any other.
    """
