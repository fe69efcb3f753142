"""
Rules for splitting raw text into sentences, in plain Python: character spans, in order, that cover everything but white
space. `sentence_splitter` wraps these rules for configs; exported models use them directly.

Each set of rules finds the positions where a sentence may start. The base class turns them into spans and can avoid
splitting given spans (entities). All rules take time linear in the text.
"""

from collections.abc import Iterable, Iterator, Sequence

import regex

from ner_zoo.annotation import Span
from ner_zoo.data.abbreviations import ANYWHERE, BEFORE_A_FIGURE, BEFORE_A_NAME
from ner_zoo.platform.configuration_error import ConfigurationError

# Atomic group: CR LF is never matched as two line ends.
LINE_END = r"(?>\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])"
BLANK_LINE = rf"{LINE_END}[^\S\n\r\x0b\x0c\x85\u2028\u2029]*+{LINE_END}"


class SentenceRules:
    """Base class: subclasses find the positions where sentences may start."""

    def breaks(self, text: str) -> Iterator[int]:
        """Sentence boundaries in ascending order; white space around them does not matter."""
        raise NotImplementedError

    def split(self, text: str) -> list[Span]:
        """The sentences of the text."""
        return spans_between(text, self.breaks(text))

    def split_keeping(self, text: str, protected: Iterable[Span]) -> list[Span]:
        """The sentences of the text, none of which ends inside a protected span."""
        return spans_between(text, self.breaks(text), protected)


def spans_between(text: str, breaks: Iterable[int], protected: Iterable[Span] = ()) -> list[Span]:
    """The text between the boundaries outside protected spans, without surrounding white space."""
    spans: list[Span] = []
    start = 0
    for end in (*_outside(breaks, sorted(protected)), len(text)):
        piece = text[start:end]
        bare = piece.lstrip()
        if bare:
            begin = end - len(bare)
            spans.append((begin, begin + len(bare.rstrip())))
        start = end
    return spans


def _outside(breaks: Iterable[int], protected: Sequence[Span]) -> Iterator[int]:
    """The boundaries that are not inside a protected span."""
    reach = number = 0
    for place in breaks:
        while number < len(protected) and protected[number][0] < place:
            reach = max(reach, protected[number][1])
            number += 1
        if reach <= place:
            yield place


class WholeText(SentenceRules):
    """Treats the text as one sentence."""

    def breaks(self, text: str) -> Iterator[int]:
        return iter(())


class Lines(SentenceRules):
    """Treats each line as a sentence."""

    pattern = regex.compile(LINE_END)

    def breaks(self, text: str) -> Iterator[int]:
        return (match.end() for match in self.pattern.finditer(text))


class Paragraphs(Lines):
    """Ends sentences at empty lines."""

    pattern = regex.compile(BLANK_LINE)


# Sentence-final punctuation of many scripts; in Chinese and Japanese no space follows.
STOPS = ".!?…‥؟۔।॥።։"
WIDE_STOPS = "。！？｡．"
CLOSERS = r"\p{Pe}\p{Pf}\"'’”»“"
OPENERS = "([{\"'“‘«„‚¿¡—–-"
STARTERS = frozenset(
    "The A An He She It They We I You This That These Those There In On At But And Or For As If When While After "
    "Before However His Her Its Their Our My Some Many Most One Both Such So Yet No Not What Who Why How".split()
)


class StopRules(SentenceRules):
    """The rules of the splitter `rules`, described there."""

    def __init__(self, newline: str = "space") -> None:
        if newline not in ("splits", "space"):
            raise ConfigurationError(f'newline is {newline!r}. Set it to "splits" or "space".')
        self.newline = newline
        line = LINE_END if newline == "splits" else BLANK_LINE
        self._pattern = regex.compile(
            rf"(?P<line>{line})"
            rf"|(?<![{STOPS}])(?P<stop>[{STOPS}]++)(?P<close>[{CLOSERS}]*+)(?=[\s\x1c-\x1f])"
            rf"|(?P<wide>[{WIDE_STOPS}][{WIDE_STOPS}{STOPS}]*+[{CLOSERS}]*+)"
        )

    def breaks(self, text: str) -> Iterator[int]:
        for match in self._pattern.finditer(text):
            if match["stop"] is None or self._ends_sentence(text, match):
                yield match.end()

    def _ends_sentence(self, text: str, match: "regex.Match[str]") -> bool:
        """Whether the full stop at `match`, followed by white space, ends a sentence."""
        following = _NEXT_WORD.match(text, match.end())
        if following is None:
            return True
        word = following["word"]
        if word[:1].islower():
            return False
        if match["stop"] != "." or match["close"]:
            return True
        before = text[max(0, match.start() - 24) : match.start()]
        previous = before.split()[-1].lstrip(OPENERS) if before and not before[-1].isspace() else ""
        return not previous or _may_end(previous, before[: -len(previous)], word)


# The next word after opening quotes, brackets and dashes, as far as needed.
_NEXT_WORD = regex.compile(r"[\s\x1c-\x1f]{1,200}+[\p{Ps}\p{Pi}\p{Pd}\"'’“”«»¿¡]{0,8}+(?P<word>[\p{L}\p{N}]{0,24}+)")


def _may_end(word: str, before: str, following: str) -> bool:
    """Whether a sentence may end at `word.` if `following` comes next."""
    lower = word.lower()
    if lower in BEFORE_A_NAME:
        return False
    if lower in BEFORE_A_FIGURE and following[:1].isdigit():
        return False
    if lower in ANYWHERE or "." in word:
        return following in STARTERS
    if word.isdigit():
        # "1. First" at the start of a line is a list item; elsewhere a number can end a sentence.
        return len(word) > 3 or before.rstrip(" \t")[-1:] not in ("", "\n", "\r")
    is_initial = len(word) == 1 and word.isupper()
    return not is_initial or (len(following) > 1 and following in STARTERS)


# By the registered name of the splitter.
SENTENCE_RULES: dict[str, type[SentenceRules]] = {
    "none": WholeText,
    "lines": Lines,
    "paragraphs": Paragraphs,
    "rules": StopRules,
}
