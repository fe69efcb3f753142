"""The first use of a compiled loop on a machine takes seconds, which should not look like a standstill."""

import sys
from types import ModuleType
from typing import Any

MESSAGE = "Compiling loops for this machine, because they are used for the first time; this takes about 15 seconds."


def announce_compiling(numba: ModuleType) -> None:
    """One line before the first of our loops is compiled. What was compiled before is read from disk silently."""
    from numba.core import event

    class Announcement(event.Listener):
        is_made = False

        def on_start(self, event: Any) -> None:
            if not self.is_made and event.data["dispatcher"].py_func.__module__.startswith("ner_zoo."):
                self.is_made = True
                print(MESSAGE, file=sys.stderr)

        def on_end(self, event: Any) -> None:
            """Nothing more to say."""

    event.register("numba:compile", Announcement())
