"""
Converts words to vectors with a pretrained encoder: words are split into pieces, pieces go through the encoder's graph
in windows, and the vector of a word is the mean over its pieces, in each layer that is used.

    vector of a word = sum_l weight_l h_l,  h_l = the mean of its pieces in layer l
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Sentence
from ner_zoo.data.surrogates import without_surrogates
from ner_zoo.light.export_file import AGAIN
from ner_zoo.light.sessions import Graph
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.extras import install_command

MOST_WORDS = 1 << 17


def piece_splitter(content: str) -> Callable[[str], list[int]]:
    """Maps a word to the ids of its pieces. content : the tokenizer, as written by the package `tokenizers`."""
    try:
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        # Its requirements would install packages for downloads, which are not needed.
        command = install_command("light-encoder").replace("install", "install --no-deps")
        raise ConfigurationError(
            f"This export has a pretrained encoder and requires the package tokenizers. Run: {command}"
        ) from error
    try:
        tokenizer = Tokenizer.from_str(content)
    except Exception as error:  # `tokenizers` has no class of its own for it
        raise ConfigurationError(f"The tokenizer in the export cannot be read: {error}. {AGAIN}") from error

    @lru_cache(MOST_WORDS)
    def pieces(word: str) -> list[int]:
        return tokenizer.encode(without_surrogates(word), add_special_tokens=False).ids

    return pieces


class PieceVectors:
    """
    graph : from the pieces of windows and their mask to the used layers, concatenated.
    tokenizer : see `piece_splitter`.
    settings : the pieces at the `start` and `end` of each window, the id of `padding`, the maximum number of pieces in
        a window or nothing, and whether layers are rounded to half precision, as in training.
    mix : `(layers,)`, the weights of layers.
    """

    def __init__(self, graph: Graph, tokenizer: str, settings: dict[str, Any], mix: ndarray) -> None:
        self.graph = graph
        self.pieces = piece_splitter(tokenizer)
        self.start, self.end, self.padding = settings["start"], settings["end"], settings["padding"]
        self.added = len(self.start) + len(self.end)
        self.max_length = settings["max_length"]
        self.most_pieces = settings["most_pieces"]
        self.is_half = settings["is_half"]
        self.dim = settings["dim"]
        self.mix = mix

    def lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        """The number of pieces of each sentence, including those at its start and end."""
        return [self.added + sum(len(self.pieces(word)) for word in sentence.tokens) for sentence in sentences]

    def fits(self, tokens: Sequence[str]) -> bool:
        """Whether an encoder without windows has positions for all pieces of a sentence."""
        return self.most_pieces is None or self.added + sum(map(len, map(self.pieces, tokens))) <= self.most_pieces

    def __call__(self, sentences: Sequence[Sentence]) -> ndarray:
        """`(batch, tokens, dim)`; a word without pieces has a zero vector."""
        lengths = np.array([len(sentence.tokens) for sentence in sentences])
        found = np.zeros((len(sentences), lengths.max(), self.dim), dtype=np.float32)
        words = [[self.pieces(word) for word in sentence.tokens] for sentence in sentences]
        counts = np.array([len(pieces) for row in words for pieces in row])
        windows = [window for row in words for window in self._windows([one for pieces in row for one in pieces])]
        if windows:
            vectors = np.zeros((len(counts), self.dim), dtype=np.float32)
            vectors[counts > 0] = self._means(self._states(windows), counts[counts > 0])
            found[np.arange(found.shape[1]) < lengths[:, None]] = vectors
        return found

    def _windows(self, pieces: list[int]) -> list[list[int]]:
        size = len(pieces) if self.max_length is None else self.max_length - self.added
        return [pieces[first : first + size] for first in range(0, len(pieces), size)] if pieces else []

    def _states(self, windows: list[list[int]]) -> ndarray:
        """The encoder's output for each piece, without added ones: `(pieces, layers x dim)`"""
        lengths = np.array([[len(window)] for window in windows])
        places = np.arange(lengths.max() + self.added)
        numbers = np.full((len(windows), len(places)), self.padding, dtype=np.int64)
        for row, window in zip(numbers, windows):
            row[: len(window) + self.added] = [*self.start, *window, *self.end]
        states = self.graph({"pieces": numbers, "mask": places < lengths + self.added})["states"]
        return states[(places >= len(self.start)) & (places < lengths + len(self.start))]

    def _means(self, states: ndarray, counts: ndarray) -> ndarray:
        """The vectors of words, from the states and numbers of their pieces: `(words, dim)`"""
        starts = np.concatenate([[0], counts.cumsum()[:-1]])
        means = np.add.reduceat(states, starts, axis=0) / counts[:, None].astype(np.float32)
        layers = means.reshape(len(counts), len(self.mix), self.dim)
        if self.is_half:
            layers = layers.astype(np.float16).astype(np.float32)
        return layers[:, 0] if len(self.mix) == 1 else np.einsum("l,wld->wd", self.mix, layers)
