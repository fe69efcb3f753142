"""
Fast conversion of words to tensors: the output of an indexer is cached per word, and batches are gathered from it.

AllenNLP creates an object for every word and every character of every sentence. At prediction time, an indexer that
looks at one word at a time always returns the same result for it. Characters are padded by a margin as wide as the
model's widest convolution, so that a convolution with max-pooling over padding returns the same result for a word in
any batch.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.fields.text_field import TextFieldTensors
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.data.tokenizers import Token
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder

from ner_zoo.annotation import Sentence
from ner_zoo.data.distinct_words import DistinctWords
from ner_zoo.models.ner_model import NerModel
from ner_zoo.modules.character_cnn import CharacterCnn
from ner_zoo.modules.word_clusters import WordClusters
from ner_zoo.modules.word_vectors import WordVectors

MOST_WORDS = 1 << 17


class WordTensors:
    """
    indexers : all of them index one word at a time, see `looks_at_words`.
    vocab : vocabulary of the model.
    margin : padding to add after the longest word.
    is_distinct : whether to also give the distinct words of a batch, see `embeds_words_alone`.
    """

    def __init__(
        self, indexers: dict[str, TokenIndexer], vocab: Vocabulary, margin: int, is_distinct: bool = False
    ) -> None:
        self.is_distinct = is_distinct
        self.indexers = indexers
        self.vocab = vocab
        self.margin = margin
        self._known = lru_cache(MOST_WORDS)(self._indices)

    def __call__(self, sentences: Sequence[Sentence]) -> TextFieldTensors:
        """The same tensors as AllenNLP's `TextField` for the words of the sentences."""
        longest = max(len(sentence.tokens) for sentence in sentences)
        number: dict[str, int] = {}
        # The first row of each table below is padding.
        places = np.zeros((len(sentences), longest), dtype=np.int64)
        for row, sentence in enumerate(sentences):
            places[row, : len(sentence.tokens)] = [
                number.setdefault(token, len(number) + 1) for token in sentence.tokens
            ]
        words = [self._known(word) for word in number]
        tensors: TextFieldTensors = {}
        distinct: TextFieldTensors = {}
        for name, indexer in self.indexers.items():
            tensors[name], distinct[name] = {}, {}
            for key in words[0][name]:
                table = self._table([word[name][key] for word in words], indexer)
                tensors[name][key] = torch.from_numpy(table[places])
                distinct[name][key] = torch.from_numpy(table).unsqueeze(0)
        return DistinctWords(tensors, distinct, torch.from_numpy(places)) if self.is_distinct else tensors

    def _indices(self, word: str) -> dict[str, dict[str, Any]]:
        """The output of each indexer for a word."""
        return {
            name: {key: values[0] for key, values in indexer.tokens_to_indices([Token(word)], self.vocab).items()}
            for name, indexer in self.indexers.items()
        }

    def _table(self, indices: list[Any], indexer: TokenIndexer) -> np.ndarray:
        """`(1 + words,)` or `(1 + words, characters)`"""
        if not isinstance(indices[0], list):
            return np.array([0, *indices], dtype=np.int64)
        width = max(max(map(len, indices)), getattr(indexer, "_min_padding_length", 0)) + self.margin
        table = np.zeros((1 + len(indices), width), dtype=np.int64)
        for row, some in enumerate(indices, start=1):
            table[row, : len(some)] = some
        return table


def looks_at_words(indexer: TokenIndexer) -> bool:
    """Whether the indexer's output for a word depends only on that word."""
    if not isinstance(indexer, (SingleIdTokenIndexer, TokenCharactersIndexer)):
        return False
    if isinstance(indexer, SingleIdTokenIndexer) and (indexer.namespace is None or indexer._feature_name != "text"):
        return False
    return not (indexer._start_tokens or indexer._end_tokens or indexer._token_min_padding_length)


def embeds_words_alone(model: torch.nn.Module) -> bool:
    """Whether the embedder is known to give a word the same vector in every context; only for models on the CPU."""
    if not isinstance(model, NerModel) or not isinstance(model.embedder, BasicTextFieldEmbedder):
        return False
    embedders = model.embedder._token_embedders.values()
    kinds = (Embedding, CharacterCnn, TokenCharactersEncoder, WordClusters, WordVectors)
    is_on_cpu = all(parameter.device.type == "cpu" for parameter in model.parameters())
    return is_on_cpu and all(isinstance(embedder, kinds) for embedder in embedders)


def widest_convolution(model: torch.nn.Module) -> int:
    """The width of the widest convolution of the model; 0 without any."""
    return max((m.kernel_size[0] for m in model.modules() if isinstance(m, torch.nn.Conv1d)), default=0)
