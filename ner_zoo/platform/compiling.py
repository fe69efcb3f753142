"""Announces the compilation of loops on first use, which takes seconds and should not look like a hang."""

import sys
from types import ModuleType
from typing import Any

MESSAGE = "Compiling loops for this machine (first use only, about 15 seconds)."


def announce_compiling(numba: ModuleType) -> None:
    """Prints one line before the first loop is compiled. Loops compiled earlier are loaded from disk silently."""
    from numba.core import event

    class Announcement(event.Listener):
        is_made = False

        def on_start(self, event: Any) -> None:
            if not self.is_made and event.data["dispatcher"].py_func.__module__.startswith("ner_zoo."):
                self.is_made = True
                print(MESSAGE, file=sys.stderr)

        def on_end(self, event: Any) -> None:
            """Does nothing; the message is printed only once."""

    event.register("numba:compile", Announcement())
