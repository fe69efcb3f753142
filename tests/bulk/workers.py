"""Workers without a model, for what engines do around them. They must be importable by processes that are spawned."""

import os

from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Annotated, Recipe


class Shouting:
    """Turns rows into capitals; dies at the row `die`."""

    def __init__(self, recipe: Recipe) -> None:
        pass

    def __call__(self, chunk: Chunk) -> Annotated:
        if b"die\n" in chunk.rows:
            os._exit(9)
        lines: list[bytes] = [row.upper() for row in chunk.rows]
        return Annotated(chunk.number, lines, len(lines), 0, chunk.share, chunk.first)


class Refusing:
    """Cannot be made."""

    def __init__(self, recipe: Recipe) -> None:
        raise ConfigurationError("The model is not there.")

    def __call__(self, chunk: Chunk) -> Annotated:
        raise NotImplementedError
