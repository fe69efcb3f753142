"""
Token indexers for the orthographic encoding of a word: as a whole, or by character.
"""

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.data.tokenizers import Token
from overrides import overrides

from ner_zoo.data.orthographic_encoding import orthographic_encoding


@TokenIndexer.register("orthographic_words")
class OrthographicWords(SingleIdTokenIndexer):
    """
    One id for the whole orthographic encoding of a word.

    namespace : vocabulary namespace of the encodings.
    token_min_padding_length : as in AllenNLP.
    """

    def __init__(self, namespace: str = "orthographic_words", token_min_padding_length: int = 0) -> None:
        super().__init__(namespace, token_min_padding_length=token_min_padding_length)

    @overrides
    def _get_feature_value(self, token: Token) -> str:
        return orthographic_encoding(super()._get_feature_value(token))


@TokenIndexer.register("orthographic_characters")
class OrthographicCharacters(TokenCharactersIndexer):
    """
    One id for each character of the orthographic encoding of a word.

    namespace : vocabulary namespace of the character classes.
    min_padding_length : at least the width of the widest CNN filter over them.
    token_min_padding_length : as in AllenNLP.
    """

    def __init__(
        self, namespace: str = "orthographic_characters", min_padding_length: int = 1, token_min_padding_length: int = 0
    ) -> None:
        super().__init__(
            namespace, min_padding_length=min_padding_length, token_min_padding_length=token_min_padding_length
        )

    @overrides
    def count_vocab_items(self, token: Token, counter: dict[str, dict[str, int]]) -> None:
        super().count_vocab_items(_encoded(token), counter)

    @overrides
    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> dict[str, list[list[int]]]:
        return super().tokens_to_indices([_encoded(token) for token in tokens], vocabulary)


def _encoded(token: Token) -> Token:
    return Token(orthographic_encoding(token.text))
