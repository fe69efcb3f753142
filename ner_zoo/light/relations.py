"""
The relation head in numpy: scores the labels of pairs of entities; see `ner_zoo.modules.relation`.

    f = cnn_1(e1)  cnn_2(e2)  cnn_3(words between)  left context  right context  onehot(distance)
    scores = W_2 relu(W_1 f + b_1) + b_2
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from ner_zoo.light.chain import Chunks


class Pairs(NamedTuple):
    """Each `(pairs,)`: the indices of two chunks of one row, in text order."""

    first: ndarray
    second: ndarray


def pairs_of(chunks: Chunks, rows: int) -> Pairs:
    """All pairs of the chunks of each row: (0, 1), (0, 2), ..., (1, 2), ..."""
    end_of_row = np.bincount(chunks.row, minlength=rows).cumsum()[chunks.row]
    following = end_of_row - 1 - np.arange(len(chunks.row))
    first = np.repeat(np.arange(len(following)), following)
    place = np.arange(len(first)) - (following.cumsum() - following)[first]
    return Pairs(first, first + 1 + place)


class SegmentCnn:
    """
    arrays : `words`, `tags` and `bias` of the convolution.
    widths, filters : widths and number of filters of its windows.
    """

    def __init__(self, arrays: Mapping[str, ndarray], widths: Sequence[int], filters: int) -> None:
        self.words, self.tags, self.bias = (arrays[name] for name in ("words", "tags", "bias"))
        self.widths = widths
        self.filters = filters

    def __call__(self, vectors: ndarray, tags: ndarray, first: ndarray, last: ndarray) -> ndarray:
        """From `(words, dim)`, `(words,)` and half-open segments `(segments,)` to `(segments, output_dim)`."""
        taps = vectors @ self.words.T + self.tags[tags]
        borders = np.cumsum([width * self.filters for width in self.widths])[:-1]
        parts = np.split(taps, borders, 1)
        pooled = [self._pool(part, width, first, last) for part, width in zip(parts, self.widths)]
        values = np.maximum(np.concatenate(pooled, 1) + self.bias, 0.0)
        return values * (last > first)[:, None]

    def _pool(self, taps: ndarray, width: int, first: ndarray, last: ndarray) -> ndarray:
        lengths = np.clip(last - first, 1, width)
        first = np.minimum(first, len(taps) - 1)
        sums = [taps[:, : self.filters]]
        for offset in range(1, width):
            tap = taps[:, offset * self.filters : (offset + 1) * self.filters]
            # Windows across the end of a sentence are never in a segment, so their values do not matter.
            sums.append(sums[-1] + np.concatenate([tap[offset:], tap[:offset]]))
        # A segment shorter than the window has one window, the sum over its words.
        short = np.stack(sums)[lengths - 1, first]
        is_long = lengths == width
        short[is_long] = range_max(sums[-1], first[is_long], (last - width + 1)[is_long])
        return short


def range_max(values: ndarray, first: ndarray, last: ndarray) -> ndarray:
    """The maximum over each half-open range of rows `(ranges,)`, by a table of maxima over 1, 2, 4, 8, ... rows."""
    lengths = np.maximum(last - first, 1)
    level = np.frexp(lengths)[1] - 1
    table = [values]
    for step in (1 << np.arange(level.max(initial=0))).tolist():
        before = table[-1]
        table.append(np.concatenate([np.maximum(before[:-step], before[step:]), before[-step:]]))
    maxima = np.stack(table)
    return np.maximum(maxima[level, first], maxima[level, first + lengths - (1 << level)])


class RelationScores:
    """arrays : the weights, named as in an export. widths, filters : of the three convolutions."""

    def __init__(self, arrays: Mapping[str, ndarray], widths: Sequence[int], filters: int) -> None:
        self.weights = {name.removeprefix("relation."): array for name, array in arrays.items()}
        parts = ("words", "tags", "bias")
        self.cnns = [
            SegmentCnn({part: self.weights[f"cnn{number}.{part}"] for part in parts}, widths, filters)
            for number in range(3)
        ]

    def __call__(self, vectors: ndarray, lengths: ndarray, tags: ndarray, chunks: Chunks, pairs: Pairs) -> ndarray:
        """From the vectors `(batch, tokens, dim)` and tags `(batch, tokens)` of the sentences to `(pairs, labels)`."""
        mask = np.arange(vectors.shape[1]) < lengths[:, None]
        words, tags = vectors[mask], tags[mask]
        begin = (lengths.cumsum() - lengths)[chunks.row]
        end = begin + lengths[chunks.row]
        start, stop = begin + chunks.first, begin + chunks.last
        segments = [(start, stop), (start, stop), (stop[pairs.first], start[pairs.second])]
        first, second, between = (cnn(words, tags, *segment) for cnn, segment in zip(self.cnns, segments))
        left, right = left_context(words, start, begin), right_context(words, stop, end)
        weights = self.weights
        as_first = np.concatenate([first, left], 1) @ weights["first"].T + weights["first_bias"]
        as_second = np.concatenate([second, right], 1) @ weights["second"].T
        distance = np.clip(chunks.first[pairs.second] - chunks.last[pairs.first], 0, len(weights["distance"]) - 1)
        hidden = as_first[pairs.first] + as_second[pairs.second]
        hidden = hidden + between @ weights["between"].T + weights["distance"][distance]
        return np.maximum(hidden, 0.0) @ weights["output"].T + weights["output_bias"]


def _halves(vectors: ndarray) -> list[ndarray]:
    """Splits like torch: the first half is the larger one."""
    return np.array_split(vectors, 2, 1)


def left_context(vectors: ndarray, place: ndarray, begin: ndarray) -> ndarray:
    """What an LSTM has read before each position, in sentences that start at `begin`."""
    forward, backward = _halves(vectors)
    before = forward[np.maximum(place - 1, 0)] * (place > begin)[:, None]
    return np.concatenate([before, backward[begin] - backward[place]], 1)


def right_context(vectors: ndarray, place: ndarray, end: ndarray) -> ndarray:
    """What an LSTM has read from each position on, in sentences that end before `end`."""
    forward, backward = _halves(vectors)
    after = backward[np.minimum(place, len(vectors) - 1)] * (place < end)[:, None]
    return np.concatenate([forward[end - 1] - forward[place - 1], after], 1)
