"""
Words to tensors, quickly: what an indexer says of a word is kept, and a batch is gathered from its different words.

AllenNLP makes an object of every word and every character of every sentence. At prediction, where nothing is learnt,
an indexer that looks at one word at a time says the same of it each time. Characters get a margin of padding as wide
as the model's widest convolution: a convolution whose maximum is taken over padding too then says the same of a word
in any batch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.fields.text_field import TextFieldTensors
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.data.tokenizers import Token

from ner_zoo.annotation import Sentence

MOST_WORDS = 1 << 17


class WordTensors:
    """
    indexers : all of which look at one word at a time, see `looks_at_words`.
    vocab : of the model.
    margin : padding to add behind the longest word.
    """

    def __init__(self, indexers: dict[str, TokenIndexer], vocab: Vocabulary, margin: int) -> None:
        self.indexers = indexers
        self.vocab = vocab
        self.margin = margin
        self._known: dict[str, dict[str, dict[str, Any]]] = {}

    def __call__(self, sentences: Sequence[Sentence]) -> TextFieldTensors:
        """What AllenNLP's `TextField` would give for the words of the sentences."""
        longest = max(len(sentence.tokens) for sentence in sentences)
        number: dict[str, int] = {}
        # The first row of each table below is padding.
        places = np.zeros((len(sentences), longest), dtype=np.int64)
        for row, sentence in enumerate(sentences):
            places[row, : len(sentence.tokens)] = [
                number.setdefault(token, len(number) + 1) for token in sentence.tokens
            ]
        words = [self._indices(word) for word in number]
        tensors: TextFieldTensors = {}
        for name, indexer in self.indexers.items():
            tensors[name] = {}
            for key in words[0][name]:
                table = self._table([word[name][key] for word in words], indexer)
                tensors[name][key] = torch.from_numpy(table[places])
        return tensors

    def _indices(self, word: str) -> dict[str, dict[str, Any]]:
        """What each indexer says of a word."""
        if word not in self._known:
            if len(self._known) >= MOST_WORDS:
                self._known.clear()
            self._known[word] = {
                name: {key: values[0] for key, values in indexer.tokens_to_indices([Token(word)], self.vocab).items()}
                for name, indexer in self.indexers.items()
            }
        return self._known[word]

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
    """Whether the indexer says the same of a word in every sentence, and nothing of the sentence."""
    if not isinstance(indexer, (SingleIdTokenIndexer, TokenCharactersIndexer)):
        return False
    if isinstance(indexer, SingleIdTokenIndexer) and (indexer.namespace is None or indexer._feature_name != "text"):
        return False
    return not (indexer._start_tokens or indexer._end_tokens or indexer._token_min_padding_length)


def widest_convolution(model: torch.nn.Module) -> int:
    """The most positions that a convolution of the model sees at once, 0 without any."""
    return max((m.kernel_size[0] for m in model.modules() if isinstance(m, torch.nn.Conv1d)), default=0)
