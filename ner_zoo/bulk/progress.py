"""
Progress of a run on one line: rows, rows and words per second, percentage done, and remaining time.
"""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TextIO

EVERY_SECONDS = {True: 0.3, False: 10.0}


class Progress:
    """
    done_before : rows done by an earlier run; they do not count towards the speed.
    stream : output stream; on a terminal the line is overwritten, otherwise a line is written occasionally.
    """

    def __init__(
        self, done_before: int = 0, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rows = self.words = self.errors = 0
        self.share = 0.0
        self.done_before = done_before
        self._stream = stream or sys.stderr
        self._clock = clock
        self._is_terminal = self._stream.isatty()
        self._started = self._shown = clock()

    def add(self, rows: int, words: int, errors: int, share: float) -> None:
        self.rows += rows
        self.words += words
        self.errors += errors
        self.share = max(self.share, share)
        if self._clock() - self._shown >= EVERY_SECONDS[self._is_terminal]:
            self.show()

    def line(self) -> str:
        seconds = max(1e-6, self._clock() - self._started)
        rows = self.rows + self.done_before
        parts = [
            f"{rows:,} row{'' if rows == 1 else 's'}",
            f"{self.rows / seconds:,.0f} rows/s",
            f"{self.words / seconds:,.0f} words/s",
            f"{100 * self.share:.0f}%",
        ]
        # Excludes an earlier run, which says nothing about the speed of this one.
        gained = self.share * self.rows / max(1, rows)
        if gained > 0:
            parts.append(f"ETA {timedelta(seconds=round(seconds * (1 - self.share) / gained))}")
        if self.errors:
            parts.append(f"{self.errors:,} error{'' if self.errors == 1 else 's'}")
        return "  ".join(parts)

    def show(self) -> None:
        self._shown = self._clock()
        self._stream.write(f"\r\033[K{self.line()}" if self._is_terminal else f"{self.line()}\n")
        self._stream.flush()

    def end(self) -> None:
        self.share = 1.0
        self.show()
        if self._is_terminal:
            self._stream.write("\n")

    def note(self, text: str) -> None:
        """A line of its own, for what takes a while after the rows."""
        self._stream.write(f"{text}\n")
        self._stream.flush()
