"""
Rules for splitting raw text into tokens, in plain Python: `tokenizers` wraps them as AllenNLP tokenizers; exported
models use them directly.

One set of rules for each kind of corpus: `words` (news and treebanks), `tweets`, `characters` (Chinese), and `spaces`
for tokenised text. Each is one regular expression whose alternatives are tried in order. For any text, the tokens are
in order, do not overlap, contain no white space and cover every other character (`str.isspace`).

Grapheme clusters are kept together: a base and its combining marks; an emoji with its skin tone, joiners and variation
selectors; a flag. Invisible format characters (joiners, soft hyphens, direction marks) stay with the character before
them, except U+200B and U+FEFF, which separate words: these, like control characters, are tokens of their own.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile

import regex

from ner_zoo.annotation import Span
from ner_zoo.data.abbreviations import ABBREVIATIONS, BEFORE_A_FIGURE

# `\s` of the regex module lacks four separators that str.isspace includes.
SPACE = r"\s\x1c-\x1f"
EXTEND = r"[[\p{M}\p{Cf}\p{Emoji_Modifier}]--[\u200b\ufeff]]"
# A keycap, a flag, or pictographs connected by joiners.
EMOJI = (
    r"[0-9#*]\ufe0f?\u20e3"
    r"|\p{Regional_Indicator}{2}"
    rf"|\p{{Extended_Pictographic}}{EXTEND}*+(?:(?<=\u200d)\p{{Extended_Pictographic}}{EXTEND}*+)*+"
)
HANGUL_JAMO = r"[\u1100-\u115f\ua960-\ua97c]++[\u1160-\u11a7\ud7b0-\ud7c6]*+[\u11a8-\u11ff\ud7cb-\ud7fb]*+"

# Scripts written without spaces: each character is a token. Runs of Katakana, used for foreign words, stay together.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
KATAKANA = r"[\p{Katakana}ー][\p{Katakana}ー\p{M}]*+"
LETTER = rf"[[\p{{L}}\p{{N}}]--[{UNSPACED}\p{{Katakana}}ー]]"
RUN = rf"{LETTER}[[\p{{L}}\p{{N}}\p{{M}}\p{{Cf}}]--[{UNSPACED}\p{{Katakana}}ー\u200b\ufeff]]*+"
# Characters that may occur once between letters and digits without splitting the token: co-op, O'Neill, 1,000.5, R&D.
JOINT = r"[-‐‑_'’ʼ·]|(?<=\p{N})[.,:/٫٬](?=\p{N})|(?<=\p{Lu})&(?=\p{Lu})"
SIGN = rf"(?<![{SPACE}\S])[-+−](?=\p{{Nd}})|(?<=[{SPACE}(])[-+−](?=\p{{Nd}})"
WORD = rf"(?P<word>(?:{SIGN})?{RUN}(?:(?:{JOINT}){RUN})*+)(?P<dot>\.(?![.\p{{L}}\p{{N}}]))?"

# A URL ends before the punctuation of the surrounding sentence. Lengths are bounded to avoid quadratic time.
URL = rf"(?i:https?://|ftp://|www\.)[^{SPACE}<>\"“”«»]{{0,2000}}[^{SPACE}<>\"“”«».,;:!?…'’)\]}}]"
EMAIL = r"[\p{L}\p{N}_.+-]{1,64}+@(?:[\p{L}\p{N}-]{1,63}+\.){1,8}\p{L}{2,24}+"
DOMAIN = (
    r"(?:[\p{L}\p{N}-]{1,63}+\.){1,8}?(?:com|org|net|edu|gov|info|ru|de|uk|br|pt|es|nl|fr|cn|jp|io)"
    r"(?![\p{L}\p{N}\p{M}\p{Cf}])"
)
# U.S., e.g., and the J. of a name.
INITIALS = (
    rf"(?<!{LETTER})(?:\p{{L}}\p{{M}}*+\.){{2,16}}+(?![\p{{L}}\p{{N}}])"
    rf"|(?<!{LETTER})\p{{Lu}}\p{{M}}*+\.(?=[ \u00a0]?\p{{Lu}})"
)
REPEATED = "|".join(rf"{regex.escape(mark)}{{2,}}+" for mark in ".-!?*=~_+#`'/\\—–")

USER = r"@[\p{L}\p{N}_]++"
HASHTAG = r"[#＃][\p{L}\p{N}\p{M}_]*[\p{L}_][\p{L}\p{N}\p{M}_]*+"
TICKER = r"\$\p{Lu}{1,6}+(?![\p{L}\p{N}])"
MARKUP = r"&(?:amp|lt|gt|quot|apos|#\d{1,7});"
EMOTICON = (
    r"(?<!\p{N})[:;=][-o*'^]?[)\](\[/\\|]{1,8}(?![\p{L}\p{N}/])"
    r"|(?<![\p{L}\p{N}])(?:"
    r"[<>]?[:;=8xX][-o*'^]?[)\](\[dDpPoO/\\|}{@3sS*]{1,8}(?![\p{L}\p{N}])"
    r"|[)\](\[dDpP/\\|}{]{1,8}[-o*'^]?[:;=](?![\p{L}\p{N}:;=])"
    r"|</?3++|\(y\)|[-^oO><TuU][._-]{1,8}[-^oO><TuU](?![\p{L}\p{N}])|\^\^|¯\\_\(ツ\)_/¯)"
)


def _pattern(*alternatives: str) -> "regex.Pattern[str]":
    """Tries the alternatives in order, falling back to one character; in both cases including combining marks."""
    return regex.compile(rf"(?:{'|'.join(alternatives)}|[^{SPACE}]){EXTEND}*+", regex.VERSION1)


# The maximum length of a chunk in the cache, in characters; and of the cache, which is then cleared.
LONGEST_KNOWN, MOST_KNOWN = 40, 100_000


class TokenRules:
    """Every match of the `pattern` is a token."""

    pattern: "regex.Pattern[str]"

    def spans(self, text: str) -> Iterable[Span]:
        """The half-open character spans of the tokens, in order."""
        return (match.span() for match in self.pattern.finditer(text))


class WordRules(TokenRules):
    """
    Separates a word from its clitics, and from a dot that is not part of it.

    A chunk between white space is always tokenised the same way, unless it has a dot: whether that is part of its word
    can depend on the next two characters. So the spans of each chunk are cached.
    """

    clitic: "regex.Pattern[str]"
    known: dict[str, tuple[Span, ...]]

    def spans(self, text: str) -> list[Span]:
        found: list[Span] = []
        known, find, add = self.known, text.find, found.append
        end = 0
        for chunk in text.split():
            start = find(chunk, end)
            end = start + len(chunk)
            key = text[start : end + 2] if "." in chunk else chunk
            pieces = known.get(key)
            if pieces is None:
                pieces = self._learn(key, len(chunk))
            for first, last in pieces:
                add((start + first, start + last))
        return found

    def _learn(self, key: str, size: int) -> tuple[Span, ...]:
        """The spans in the first `size` characters of `key`, which are the chunk."""
        pieces = tuple(takewhile(lambda span: span[0] < size, self.matches(key)))
        if size <= LONGEST_KNOWN:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = pieces
        return pieces

    def matches(self, text: str) -> Iterator[Span]:
        """The same spans, without the cache."""
        for match in self.pattern.finditer(text):
            if match.lastgroup == "dot" or (match.lastgroup == "word" and ("'" in match[0] or "’" in match[0])):
                yield from self._pieces(match)
            else:
                yield match.span()

    def _pieces(self, match: "regex.Match[str]") -> Iterator[Span]:
        (start, word_end), end = match.span("word"), match.end()
        word = match["word"]
        has_dot = match["dot"] is not None
        if has_dot and self._owns_dot(word, match.string, end):
            yield start, end
            return
        # Combining marks belong to the dot or, without one, to the word.
        last = word_end if has_dot else end
        clitic = self.clitic.search(word)
        if clitic:
            yield start, start + clitic.start()
            yield start + clitic.start(), last
        else:
            yield start, last
        if has_dot:
            yield word_end, end

    def _owns_dot(self, word: str, text: str, end: int) -> bool:
        lower = word.lower()
        return lower in ABBREVIATIONS or (lower in BEFORE_A_FIGURE and text[end : end + 2].strip()[:1].isdigit())


class WordTokens(WordRules):
    """The rules of the tokenizer `words`."""

    pattern = _pattern(URL, EMAIL, EMOJI, MARKUP, DOMAIN, INITIALS, WORD, KATAKANA, REPEATED)
    clitic = regex.compile(r"(?<=\p{L})(?:n['’]t|['’](?:s|m|d|re|ve|ll))$", regex.IGNORECASE)
    known = {}


class TweetTokens(WordRules):
    """The rules of the tokenizer `tweets`."""

    pattern = _pattern(
        URL,
        EMAIL,
        EMOJI,
        EMOTICON,
        USER,
        HASHTAG,
        TICKER,
        MARKUP,
        DOMAIN,
        INITIALS,
        WORD,
        KATAKANA,
        r"[!?]{2,}+",
        REPEATED,
    )
    clitic = regex.compile(r"(?<=\p{L})['’]s$", regex.IGNORECASE)
    known = {}


class CharacterTokens(TokenRules):
    """The rules of the tokenizer `characters`."""

    pattern = _pattern(EMOJI, HANGUL_JAMO)


class SpaceTokens(TokenRules):
    """The rules of the tokenizer `spaces`."""

    pattern = regex.compile(rf"[^{SPACE}]++", regex.VERSION1)


# By the registered name of the tokenizer.
TOKEN_RULES: dict[str, type[TokenRules]] = {
    "words": WordTokens,
    "tweets": TweetTokens,
    "characters": CharacterTokens,
    "spaces": SpaceTokens,
}
