"""
Cuts raw text into tokens and says where each one stands: `text[token.idx:token.idx_end] == token.text`.

One tokenizer for each kind of corpus: `words` (news and treebanks), `tweets`, `characters` (Chinese), and `spaces` for
what is tokenised already. `token_rules` has the rules.
"""

from allennlp.data.tokenizers import Token, Tokenizer
from overrides import overrides

from ner_zoo.data.token_rules import CharacterTokens, SpaceTokens, TokenRules, TweetTokens, WordTokens


class RegexTokenizer(TokenRules, Tokenizer):
    """The tokens that a set of rules finds."""

    @overrides
    def tokenize(self, text: str) -> list[Token]:
        return [Token(text[start:end], start, end) for start, end in self.spans(text)]


@Tokenizer.register("words")
class Words(WordTokens, RegexTokenizer):
    """
    As in news corpora and treebanks: punctuation is apart, `'s` and `n't` are apart, `U.S.` and `Mr.` keep their dot,
    `1,000.5` and words with hyphens are one token. Characters of scripts without spaces stand alone.
    """


@Tokenizer.register("tweets")
class Tweets(TweetTokens, RegexTokenizer):
    """
    As in the corpora of the noisy-text workshops: `@user`, `#tag`, `$TICK`, addresses, emoticons and HTML entities are
    one token, runs such as `!!!` too; of the clitics `'s` alone is apart.
    """


@Tokenizer.register("characters")
class Characters(CharacterTokens, RegexTokenizer):
    """Every character but white space is a token, with its marks."""


@Tokenizer.register("spaces")
class Spaces(SpaceTokens, RegexTokenizer):
    """Tokens are separated by white space alone: for text that is tokenised already."""
