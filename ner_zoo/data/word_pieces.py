"""
Words as pieces of a Hugging Face encoder, for AllenNLP's embedder `pretrained_transformer_mismatched`.

AllenNLP's indexer cuts long sentences into windows, and none is left of a sentence whose tokens all yield no piece
(spaces, zero-width characters), on which the embedder stops. Such a sentence is read as one unknown piece that no token
refers to.
"""

from math import inf
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.data.tokenizers import Token
from overrides import overrides


@TokenIndexer.register("word_pieces")
class WordPieces(PretrainedTransformerMismatchedIndexer):
    """
    model_name : name or folder of the encoder.
    max_length : the length of a window in pieces, as for the embedder.
    namespace, tokenizer_kwargs : as in AllenNLP.
    """

    def __init__(
        self,
        model_name: str,
        max_length: int = 512,
        namespace: str = "tags",
        tokenizer_kwargs: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(model_name, namespace, max_length, tokenizer_kwargs)
        most = most_pieces(model_name)
        if max_length > most:
            raise ConfigurationError(
                f"max_length is {max_length}, but the encoder {model_name!r} has positions for {most} pieces. Give "
                "the indexer and the embedder that number or less."
            )

    @overrides
    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> dict[str, list[Any]]:
        indexed = super().tokens_to_indices(tokens, vocabulary)
        if indexed["token_ids"] or not tokens:
            return indexed
        indexed = super().tokens_to_indices([Token(self._tokenizer.unk_token or "?")], vocabulary)
        # AllenNLP's way to say that a token has no pieces.
        return {**indexed, "mask": [True] * len(tokens), "offsets": [(-1, -1)] * len(tokens)}


def most_pieces(model_name: str) -> float:
    """How many pieces the positions of an encoder are for; infinitely many if it counts distances between pieces."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(model_name)
    positions = getattr(config, "max_position_embeddings", -1)
    return positions if positions > 0 and not getattr(config, "relative_attention", False) else inf
