"""
Splits raw text into tokens with character offsets: `text[token.idx:token.idx_end] == token.text`.

One tokenizer for each kind of corpus: `words` (news and treebanks), `tweets`, `characters` (Chinese), and `spaces` for
tokenised text. The rules are in `token_rules`.
"""

from allennlp.data.tokenizers import Token, Tokenizer
from overrides import overrides

from ner_zoo.data.token_rules import CharacterTokens, SpaceTokens, TokenRules, TweetTokens, WordTokens


class RegexTokenizer(TokenRules, Tokenizer):
    """The tokens found by a set of rules."""

    @overrides
    def tokenize(self, text: str) -> list[Token]:
        return [Token(text[start:end], start, end) for start, end in self.spans(text)]


@Tokenizer.register("words")
class Words(WordTokens, RegexTokenizer):
    """
    For news corpora and treebanks: splits off punctuation, `'s` and `n't`; `U.S.` and `Mr.` keep their dot; `1,000.5`
    and hyphenated words are one token. In scripts without spaces, every character is a token.
    """


@Tokenizer.register("tweets")
class Tweets(TweetTokens, RegexTokenizer):
    """
    For the corpora of the noisy-text workshops: `@user`, `#tag`, `$TICK`, URLs, emoticons, HTML entities and runs such
    as `!!!` are one token; of the clitics, only `'s` is split off.
    """


@Tokenizer.register("characters")
class Characters(CharacterTokens, RegexTokenizer):
    """Every character except white space is a token, together with its combining marks."""


@Tokenizer.register("spaces")
class Spaces(SpaceTokens, RegexTokenizer):
    """Splits only at white space, for text that is already tokenised."""
