"""
Streams files of word vectors: one word and its numbers per line, as written by GloVe, fastText and word2vec.

Plain or gzip; columns separated by spaces or TABs; with or without a header line with the number of words and the size.
A word may contain spaces, so lines are parsed from the end.
"""

import io
import os
from collections.abc import Callable, Iterator
from itertools import takewhile

import numpy as np
from allennlp.common.checks import ConfigurationError
from numpy import ndarray

from ner_zoo.data.corpora.text_file import READ_ERRORS, open_bytes, unreadable


def word_vectors(path: str, size: int, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, ndarray]]:
    """The requested words in file order, with their vectors `(size,)`. Skipping the other words is cheap."""
    if not os.path.isfile(path):
        raise ConfigurationError(
            f"There is no file of word vectors at {path}. Put it there, set NER_ZOO_DATA to a folder with the file in "
            f"`vectors`, or leave the file out for random vectors."
        )
    is_first = True
    for number, line in _lines(path):
        line = line.rstrip("\r\n ")
        if number == 1 and [field.isdigit() for field in line.split()] == [True, True]:
            continue  # a header
        if is_first:
            _check_size(path, number, line, size)
            is_first = False
        fields = line.rsplit("\t" if "\t" in line else " ", size)
        if fields[0] and is_wanted(fields[0]):
            yield fields[0], _numbers(path, number, fields, size)


def _lines(path: str) -> Iterator[tuple[int, str]]:
    """Every line with its number."""
    number = 0
    try:
        # A word with a broken character cannot match anything, but the others can still be read.
        with io.TextIOWrapper(open_bytes(path), encoding="utf-8", errors="replace", newline="\n") as lines:
            for line in lines:
                number += 1
                yield number, line
    except READ_ERRORS as error:
        raise unreadable(path, number + 1, error) from error


def _check_size(path: str, number: int, line: str, size: int) -> None:
    """Checks the length: parsed from the end, an overlong line would just seem to contain a long word."""
    fields = line.split()
    found = sum(1 for _ in takewhile(_is_number, reversed(fields[1:])))
    if found != size:
        raise ConfigurationError(
            f"The vectors of {path} have {found} numbers (line {number}), but {size} are expected. Set the size to "
            f"{found}."
        )


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _numbers(path: str, number: int, fields: list[str], size: int) -> ndarray:
    try:
        vector = np.array(fields[1:], dtype=np.float32)
    except ValueError:
        vector = np.empty(0, dtype=np.float32)
    if vector.shape != (size,) or not np.isfinite(vector).all():
        raise ConfigurationError(
            f"{path}:{number} is not a word followed by {size} numbers: {' '.join(fields)[:60]!r}. Check that the "
            f"file is complete."
        )
    return vector
