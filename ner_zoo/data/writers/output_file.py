"""
The file a writer writes: UTF-8, gzip if its name says so, and there only when it is whole.
"""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.platform.atomic_files import replacing

# What separates the fields and rows of a column file.
BREAKS = "\t\n\r"


@contextmanager
def output_file(path: str) -> Iterator[TextIO]:
    """Opens the file for text; line ends are written as they are."""
    opened = gzip.open if path.endswith(".gz") else open
    with replacing(path) as new, opened(new, "wt", encoding="utf-8", newline="\n") as file:  # type: ignore[operator]
        yield file


def without(characters: str, text: str, sentence: Sentence, left_out: Repairs) -> str:
    """A token or type without characters that separate fields or rows: each becomes a space, and is counted."""
    found = sum(map(text.count, characters))
    if found:
        left_out.add("character that the format cannot hold replaced by a space", sentence.source, found)
        text = text.translate({ord(character): " " for character in characters})
    return text
