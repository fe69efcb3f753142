"""
Splits raw text into sentences: character spans, in order, that cover everything but white space. The rules are in
`sentence_rules`; here they are registered for configs.
"""

from allennlp.common import Registrable

from ner_zoo.data.sentence_rules import Lines, Paragraphs, SentenceRules, StopRules, WholeText


class SentenceSplitter(SentenceRules, Registrable):
    """Base class: subclasses find the positions where sentences may start."""

    default_implementation = "rules"


@SentenceSplitter.register("none")
class NoSplitter(WholeText, SentenceSplitter):
    """Treats the text as one sentence."""


@SentenceSplitter.register("lines")
class LineSplitter(Lines, SentenceSplitter):
    """Treats each line as a sentence."""


@SentenceSplitter.register("paragraphs")
class ParagraphSplitter(Paragraphs, SentenceSplitter):
    """Ends sentences at empty lines."""


@SentenceSplitter.register("rules")
class RuleSplitter(StopRules, SentenceSplitter):
    """
    A sentence ends at a full stop, question mark or exclamation mark, with any closing quotes and brackets, if white
    space follows that is not followed by a lower-case letter; but not after an abbreviation, an initial or the number
    of a list item. An empty line always ends a sentence.

    newline : whether a single line end `splits` too, or counts as a `space`.
    """
