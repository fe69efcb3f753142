"""
The work of one request, in steps: between two steps, other requests get a turn with the model.

A step ends when the work yields the pieces of text that the model must process next; they have been processed when the
work resumes. The return value is the result of the request.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from ner_zoo.annotation import Sentence


@dataclass
class Piece:
    """A sentence or a window of one, and its result: a prediction, or the error that occurred."""

    sentence: Sentence
    top_k: int
    prediction: Any = None
    error: Exception | None = None


Steps = Generator[list[Piece], None, Any]


class Work(ABC):
    """
    inputs, characters : size of the work.
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
        """Does all of the work."""

    def begin(self) -> None:
        """Takes the first step, if none has been taken."""
        if self._running is None:
            self._running = self.steps()
            self.advance()

    def advance(self) -> None:
        """Takes the next step."""
        if self.is_done:
            return
        assert self._running is not None
        try:
            self.pieces = next(self._running)
        except StopIteration as end:
            self.is_done, self.pieces, self.result = True, [], end.value
        except Exception as error:
            self.is_done, self.pieces, self.error = True, [], error
