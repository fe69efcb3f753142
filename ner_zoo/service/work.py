"""
The work of one request, in steps: between two of them, others have their turn with the model.

A step ends where the work yields the pieces of text that a model must read next; they have been read when the work
goes on. What the work returns is the request's result.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from ner_zoo.annotation import Sentence


@dataclass
class Piece:
    """A sentence or a window of one, and what a model said of it: a prediction, or the error at which it failed."""

    sentence: Sentence
    top_k: int
    prediction: Any = None
    error: Exception | None = None


Steps = Generator[list[Piece], None, Any]


class Work(ABC):
    """
    inputs, characters : how much it is.
    is_short : whether it should be done in one step, and so need not wait behind long work.
    """

    def __init__(self, inputs: int, characters: int, is_short: bool) -> None:
        self.inputs = inputs
        self.characters = characters
        self.is_short = is_short
        self.pieces: list[Piece] = []
        self.result: Any = None
        self.error: Exception | None = None
        self.is_done = False
        self._running: Steps | None = None

    @abstractmethod
    def steps(self) -> Steps:
        """All of the work."""

    def begin(self) -> None:
        """Take the first step, if none has been taken."""
        if self._running is None:
            self._running = self.steps()
            self.advance()

    def advance(self) -> None:
        """Take the next step."""
        if self.is_done:
            return
        assert self._running is not None
        try:
            self.pieces = next(self._running)
        except StopIteration as end:
            self.is_done, self.pieces, self.result = True, [], end.value
        except Exception as error:
            self.is_done, self.pieces, self.error = True, [], error
