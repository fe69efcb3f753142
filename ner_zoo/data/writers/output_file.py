"""
The output file of a writer: UTF-8, gzip if the name says so, and moved into place only when complete.
"""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.platform.atomic_files import replacing

# Separators of the fields and rows of a column file.
BREAKS = "\t\n\r"


@contextmanager
def output_file(path: str) -> Iterator[TextIO]:
    """Opens the file for text; line ends are written unchanged."""
    opened = gzip.open if path.endswith(".gz") else open
    with replacing(path) as new, opened(new, "wt", encoding="utf-8", newline="\n") as file:  # type: ignore[operator]
        yield file


def without(characters: str, text: str, sentence: Sentence, left_out: Repairs) -> str:
    """Replaces separators in a token or type with spaces, and counts them."""
    found = sum(map(text.count, characters))
    if found:
        left_out.add("character that the format cannot represent replaced by a space", sentence.source, found)
        text = text.translate({ord(character): " " for character in characters})
    return text
