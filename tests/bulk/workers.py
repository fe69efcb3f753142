"""Workers without a model, for testing engines. They must be importable by spawned processes."""

import logging
import os

from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Annotated, WorkerSettings


class Shouting:
    """Turns rows into capitals; dies on the row `die`."""

    def __init__(self, settings: WorkerSettings) -> None:
        pass

    def __call__(self, chunk: Chunk) -> Annotated:
        if b"die\n" in chunk.rows:
            os._exit(9)
        lines: list[bytes] = [row.upper() for row in chunk.rows]
        return Annotated(chunk.number, lines, len(lines), 0, chunk.share, chunk.first)


class Logging(Shouting):
    """Logs a detail and a warning when it is created."""

    def __init__(self, settings: WorkerSettings) -> None:
        logging.getLogger("some.library").info("a detail")
        logging.getLogger("some.library").warning("a problem")


class Refusing:
    """A worker that cannot be created."""

    def __init__(self, settings: WorkerSettings) -> None:
        raise ConfigurationError("The model is not there.")

    def __call__(self, chunk: Chunk) -> Annotated:
        raise NotImplementedError
