"""
Finds near-duplicate sentences: retweets, boilerplate, a sentence repeated with another number.

Two sentences are near-duplicates if the Jaccard similarity of their word bigrams, ignoring case and digits, is at least
`SIMILAR`. Min-hashing finds them in time linear in the text: sentences that agree in a band of hashes fall into the
same bucket, and each is compared only with the first one in its bucket.
"""

import itertools
import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

SIMILAR = 0.7
BANDS, ROWS = 8, 3
PRIME = (1 << 31) - 1
DIGIT = re.compile(r"\d")


def groups_of_near_duplicates(sentences: Sequence[Sequence[str]]) -> list[int]:
    """For each sentence, given by its tokens, the index of the first sentence of its group (its own if unique)."""
    from scipy.cluster.hierarchy import DisjointSet

    shingles = [_shingles(tokens) for tokens in sentences]
    group = DisjointSet(range(len(sentences)))
    buckets: dict[tuple[int, bytes], int] = {}
    for number, own in enumerate(shingles):
        for band, key in enumerate(_bands(own)):
            first = buckets.setdefault((band, key), number)
            if not group.connected(first, number):
                jaccard = len(shingles[first] & own) / len(shingles[first] | own)
                if jaccard >= SIMILAR:
                    group.merge(first, number)
    first_of: dict[int, int] = {}
    return [first_of.setdefault(group[number], number) for number in range(len(sentences))]


def _shingles(tokens: Sequence[str]) -> frozenset[int]:
    """Hashes of the word bigrams, including the sentence boundaries."""
    words = ["", *(DIGIT.sub("0", token.lower()) for token in tokens), ""]
    pairs = itertools.pairwise(words)
    return frozenset(crc32(f"{first}\t{second}".encode("utf-8", "replace")) for first, second in pairs)


def _multipliers() -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(0)
    return draw.integers(1, PRIME, (BANDS * ROWS, 1)), draw.integers(0, PRIME, (BANDS * ROWS, 1))


FACTORS, SHIFTS = _multipliers()


def _bands(shingles: frozenset[int]) -> list[bytes]:
    """The min-hashes of a sentence, grouped into bands."""
    values = np.fromiter(shingles, dtype=np.int64, count=len(shingles)) % PRIME
    least = ((FACTORS * values + SHIFTS) % PRIME).min(1)
    return [band.tobytes() for band in least.reshape(BANDS, ROWS)]
