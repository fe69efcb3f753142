"""
Converts words to vectors: the output of the embedder's graph is cached per word, and batches are gathered from it.

The vector of a word depends only on the word, so the embedder runs once for each distinct word of all texts.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Sentence
from ner_zoo.data.orthographic_encoding import orthographic_encoding
from ner_zoo.data.spellings import spellings
from ner_zoo.light.sessions import Graph

# AllenNLP's name for unknown words; namespaces of labels have none.
UNKNOWN = "@@UNKNOWN@@"
MOST_WORDS = 1 << 16

# Maps a word and the indices of a namespace to the index of the word, or to those of its characters.
Number = Callable[[str, Mapping[str, int]], int]


def _word(word: str, numbers: Mapping[str, int]) -> int:
    number = numbers.get(word)
    return numbers[UNKNOWN] if number is None else number


def _known_spelling(word: str, numbers: Mapping[str, int]) -> int:
    if word in numbers:
        return numbers[word]
    return next((numbers[spelling] for spelling in spellings(word) if spelling in numbers), numbers[UNKNOWN])


WORD_NUMBERS: dict[str, Number] = {
    "words": _word,
    "lower_case_words": lambda word, numbers: _word(word.lower(), numbers),
    "known_spelling": _known_spelling,
    "orthographic_words": lambda word, numbers: _word(orthographic_encoding(word), numbers),
}
CHARACTER_FORMS: dict[str, Callable[[str], str]] = {
    "characters": str,
    "lower_case_characters": str.lower,
    "orthographic_characters": orthographic_encoding,
}


class WordInput:
    """
    One input of the embedder: words by index, or their characters.

    kind : one of `WORD_NUMBERS` and `CHARACTER_FORMS`.
    numbers : the indices of the namespace.
    min_length : minimum length of the rows of characters.
    margin : padding after the longest word, as wide as the widest convolution over it.
    """

    def __init__(self, kind: str, numbers: Mapping[str, int], min_length: int = 0, margin: int = 0) -> None:
        self.kind = kind
        self.numbers = numbers
        self.min_length = min_length
        self.margin = margin

    def __call__(self, words: Sequence[str]) -> ndarray:
        """`(words,)` or `(words, characters)`"""
        if self.kind in WORD_NUMBERS:
            number = WORD_NUMBERS[self.kind]
            return np.array([number(word, self.numbers) for word in words], dtype=np.int64)
        shaped = list(map(CHARACTER_FORMS[self.kind], words))
        width = max(max(map(len, shaped), default=0), self.min_length) + self.margin
        table = np.zeros((len(shaped), width), dtype=np.int64)
        lengths = np.array(list(map(len, shaped)))
        letters = [_word(letter, self.numbers) for letter in chain.from_iterable(shaped)]
        table[np.arange(width) < lengths[:, None]] = letters
        return table

    def padding(self) -> ndarray:
        """The padding value of a word."""
        return np.zeros((1,) if self.kind in WORD_NUMBERS else (1, max(self.min_length + self.margin, 1)), np.int64)


class WordVectors:
    """
    graph : from the inputs of words to their vectors.
    inputs : by their names in the graph.
    """

    def __init__(self, graph: Graph, inputs: Mapping[str, WordInput]) -> None:
        self.graph = graph
        self.inputs = inputs
        padding = self._embed({name: one.padding() for name, one in inputs.items()})
        self._padding = padding
        self._table = np.empty((1024, padding.shape[1]), dtype=np.float32)
        self._forget()

    @classmethod
    def of(cls, graph: Graph, settings: Sequence[Mapping[str, Any]], vocabulary: Mapping[str, list[str]]) -> Any:
        """settings : of each input, as in an export."""
        numbers = {name: {word: number for number, word in enumerate(words)} for name, words in vocabulary.items()}
        inputs = {
            one["name"]: WordInput(one["kind"], numbers[one["namespace"]], one["min_length"], one["margin"])
            for one in settings
        }
        return cls(graph, inputs)

    def __call__(self, sentences: Sequence[Sentence]) -> ndarray:
        """`(batch, tokens, dim)`"""
        words = dict.fromkeys(word for sentence in sentences for word in sentence.tokens)
        self._learn([word for word in words if word not in self._rows], words)
        # The first row is padding.
        places = np.zeros((len(sentences), max(len(sentence.tokens) for sentence in sentences)), dtype=np.int64)
        for row, sentence in enumerate(sentences):
            places[row, : len(sentence.tokens)] = [self._rows[word] for word in sentence.tokens]
        return self._table[places]

    def _learn(self, new: list[str], wanted: Mapping[str, None]) -> None:
        if len(self._rows) + len(new) > MOST_WORDS:
            self._forget()
            new = list(wanted)
        if not new:
            return
        vectors = self._embed({name: one(new) for name, one in self.inputs.items()})
        first = 1 + len(self._rows)
        while first + len(new) > len(self._table):
            self._table = np.concatenate([self._table, np.empty_like(self._table)])
        self._table[first : first + len(new)] = vectors
        self._rows.update(zip(new, range(first, first + len(new))))

    def _embed(self, inputs: dict[str, ndarray]) -> ndarray:
        return self.graph(inputs)["vectors"]

    def _forget(self) -> None:
        self._rows: dict[str, int] = {}
        self._table[0] = self._padding[0]
