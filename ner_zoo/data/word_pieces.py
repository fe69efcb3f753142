"""
Indexes words as word pieces of a Hugging Face encoder, for AllenNLP's embedder `pretrained_transformer_mismatched`.

AllenNLP's indexer splits long sentences into windows. If no token of a sentence yields a piece (spaces, zero-width
characters), no window is left and the embedder fails. Such a sentence is read as one unknown piece that no token refers
to. The pieces of each word are cached.
"""

import functools
from math import inf
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.data.tokenizers import Token
from overrides import overrides

from ner_zoo.data.surrogates import without_surrogates

MOST_WORDS = 1 << 17


@TokenIndexer.register("word_pieces")
class WordPieces(PretrainedTransformerMismatchedIndexer):
    """
    model_name : name or folder of the encoder.
    max_length : length of a window in pieces, as in the embedder.
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
        self._source = f"{model_name} {tokenizer_kwargs}"
        most = most_pieces(model_name)
        if max_length > most:
            raise ConfigurationError(
                f"max_length is {max_length}, but the encoder {model_name!r} has positions for only {most} pieces. "
                f"Set max_length of the indexer and the embedder to that number or less."
            )

    @overrides
    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> dict[str, list[Any]]:
        self._matched_indexer._add_encoding_to_vocabulary_if_needed(vocabulary)
        words = [self._pieces(token.ensure_text()) for token in tokens]
        if any(words) or not tokens:
            return self._indexed(words)
        indexed = self._indexed([self._pieces(self._tokenizer.unk_token or "?")])
        # AllenNLP's representation of a token without pieces.
        return {**indexed, "mask": [True] * len(tokens), "offsets": [(-1, -1)] * len(tokens)}

    def _pieces(self, word: str) -> list[int]:
        """The ids of a word's pieces."""
        known = known_pieces(self._source)
        if word not in known:
            if len(known) >= MOST_WORDS:
                known.clear()
            known[word] = self._tokenizer.encode(without_surrogates(word), add_special_tokens=False)
        return known[word]

    def _indexed(self, words: list[list[int]]) -> dict[str, list[Any]]:
        """AllenNLP's indices of a sentence, given the pieces of its words."""
        cutter = self._allennlp_tokenizer
        start, end = cutter.single_sequence_start_tokens, cutter.single_sequence_end_tokens
        inner = [piece for word in words for piece in word]
        offsets, place = [], len(start)
        for word in words:
            offsets.append((place, place + len(word) - 1) if word else (-1, -1))
            place += len(word)
        ids = [*(token.text_id for token in start), *inner, *(token.text_id for token in end)]
        types = [token.type_id for token in start] + [cutter.single_sequence_token_type_id] * len(inner)
        output = {
            "token_ids": ids,
            "mask": [True] * len(words),
            "type_ids": types + [token.type_id for token in end],
            "offsets": offsets,
            "wordpiece_mask": [True] * len(ids),
        }
        return self._matched_indexer._postprocess_output(output)


@functools.cache
def known_pieces(source: str) -> dict[str, list[int]]:
    """The pieces of words, cached per tokenizer. Not in the indexer, whose copies would then differ."""
    return {}


def most_pieces(model_name: str) -> float:
    """The maximum number of pieces of an encoder; infinite if it uses relative positions."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(model_name)
    positions = getattr(config, "max_position_embeddings", -1)
    return positions if positions > 0 and not getattr(config, "relative_attention", False) else inf
