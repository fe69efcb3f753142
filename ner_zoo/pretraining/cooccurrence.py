"""
Counts co-occurrences of words in one pass over the text and in bounded memory.

    X[i, j] = sum over positions where i and j are at most `window` words apart of 1 / distance

Pairs are counted in a table; when it is full it is sorted and written to disk, and finally the sorted runs are merged
piece by piece. X is symmetric: a pair is stored once, with the more frequent word (the smaller id) first.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy import ndarray

# Words to read before counting them.
BLOCK = 1 << 18
FIRST_SLOTS = 1 << 16
BYTES_PER_SLOT = 16
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
BOUNDARY = -1


class Pairs(NamedTuple):
    """Each `(pairs,)`: the ids of the words and their co-occurrence counts."""

    first: ndarray
    second: ndarray
    counts: ndarray


class PairCounter:
    """
    window : maximum distance in words.
    megabytes : memory for the table.
    folder : for data that does not fit into it.
    """

    def __init__(self, window: int, megabytes: int, folder: Path) -> None:
        self.window = window
        self.folder = folder
        self.most_slots = max(FIRST_SLOTS, 1 << int(np.log2(megabytes * 2**20 / BYTES_PER_SLOT)))
        self.runs: list[Path] = []
        self._clear(FIRST_SLOTS)

    def add(self, sentences: Iterable[Sequence[int]]) -> Iterator[int]:
        """Counts sentences of word ids; occasionally yields the number of words."""
        block: list[int] = []
        for sentence in sentences:
            block.extend(sentence)
            block.append(BOUNDARY)
            if len(block) >= BLOCK:
                self._count(np.array(block, dtype=np.int64))
                yield len(block)
                block = []
        self._count(np.array(block, dtype=np.int64))
        yield len(block)

    def _clear(self, slots: int) -> None:
        self.keys, self.counts, self.used = np.full(slots, EMPTY), np.zeros(slots), 0

    def _count(self, words: ndarray) -> None:
        place = 0
        while place < len(words):
            place, self.used = count_pairs(words, place, self.window, self.keys, self.counts, self.used)
            if place < len(words):
                self._make_room()

    def _make_room(self) -> None:
        if len(self.keys) >= self.most_slots:
            self._write_run()
            return
        keys, counts = self.keys, self.counts
        self._clear(2 * len(keys))
        self.used = move_pairs(keys, counts, self.keys, self.counts)

    def _sorted(self) -> tuple[ndarray, ndarray]:
        filled = self.keys != EMPTY
        order = np.argsort(self.keys[filled])
        return self.keys[filled][order], self.counts[filled][order]

    def _write_run(self) -> None:
        path = self.folder / f"run{len(self.runs)}"
        for name, column in zip(("keys", "counts"), self._sorted()):
            np.save(f"{path}.{name}.npy", column)
        self.runs.append(path)
        self._clear(len(self.keys))

    def pairs(self) -> Pairs:
        """All pairs in order. The counter is empty afterwards."""
        if not self.runs:
            keys, counts = self._sorted()
        else:
            self._write_run()
            keys, counts = self._merged()
        self._clear(FIRST_SLOTS)
        return Pairs((keys >> np.uint64(32)).astype(np.int32), keys.astype(np.uint32).astype(np.int32), counts)

    def _merged(self) -> tuple[ndarray, ndarray]:
        """Merges the runs, a range of keys at a time."""
        runs = [[np.load(f"{path}.{name}.npy", mmap_mode="r") for name in ("keys", "counts")] for path in self.runs]
        step = max(1, self.most_slots // 2 // len(runs))
        borders = np.unique(np.concatenate([keys[step::step] for keys, _ in runs]))
        cuts = [[0, *np.searchsorted(keys, borders), len(keys)] for keys, _ in runs]
        pieces = []
        for piece in range(len(borders) + 1):
            parts = [
                (k[cut[piece] : cut[piece + 1]], c[cut[piece] : cut[piece + 1]]) for (k, c), cut in zip(runs, cuts)
            ]
            keys, counts = (np.concatenate(column) for column in zip(*parts))
            unique, place = np.unique(keys, return_inverse=True)
            pieces.append((unique, np.bincount(place, counts, len(unique))))
        for path in self.runs:
            for name in ("keys", "counts"):
                Path(f"{path}.{name}.npy").unlink()
        self.runs = []
        keys, counts = (np.concatenate(column) for column in zip(*pieces))
        return keys, counts


@njit(cache=True, nogil=True)
def find_slot(key: np.uint64, keys: ndarray) -> np.uint64:
    """The slot of a key in a table, or a free one for it: linear probing."""
    last = np.uint64(len(keys) - 1)
    slot = ((key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & last
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(cache=True, nogil=True)
def count_pairs(words: ndarray, start: int, window: int, keys: ndarray, counts: ndarray, used: int) -> tuple[int, int]:
    """Counts words from `start` on with their predecessors; returns where the table was full, and its size."""
    limit = int(0.6 * len(keys)) - window
    for place in range(start, len(words)):
        if used > limit:
            return place, used
        word = words[place]
        if word < 0:
            continue
        for distance in range(1, window + 1):
            if place - distance < 0 or words[place - distance] < 0:
                break
            other = words[place - distance]
            key = np.uint64(min(word, other)) << np.uint64(32) | np.uint64(max(word, other))
            slot = find_slot(key, keys)
            if keys[slot] == EMPTY:
                keys[slot] = key
                used += 1
            # A word next to itself counts from both sides.
            counts[slot] += (2.0 if word == other else 1.0) / distance
    return len(words), used


@njit(cache=True, nogil=True)
def move_pairs(keys: ndarray, counts: ndarray, new_keys: ndarray, new_counts: ndarray) -> int:
    """Moves pairs to another table; returns their number."""
    moved = 0
    for old in range(len(keys)):
        if keys[old] != EMPTY:
            slot = find_slot(keys[old], new_keys)
            new_keys[slot], new_counts[slot] = keys[old], counts[old]
            moved += 1
    return moved
