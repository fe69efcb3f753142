"""
The `allennlp` command and archives: `--include-package` and `--allow-downloads` say what an archive may name.

In a command that only uses archives, the guard stays active from the first archive to the end.
"""

import contextvars
import functools
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ner_zoo.platform.archive_allowlist import allow_package
from ner_zoo.platform.archive_guard import ALLOW_DOWNLOADS, stay_for_command

# Commands that build the user's own config. What they open in passing is guarded only while it is open.
TRAINING_COMMANDS = ("train", "compare", "clean", "find-lr", "build-vocab")
# An argument of one of these names is an archive.
USES_ARCHIVES = ("archive_file", "archive", "model", "archive_and_file")
ALLOW_DOWNLOADS_HELP = "let what an archive names be downloaded (default: only what is on this machine is used)"


def guarded(command: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """A command with the guard active from the first archive to its end, if it uses archives only."""

    def run(prog: str | None) -> None:
        if not set(sys.argv[1:2]) & set(TRAINING_COMMANDS):
            stay_for_command()
        command(prog)

    return lambda prog: contextvars.copy_context().run(run, prog)


def allow_what_is_named(arguments: Any) -> None:
    """An archive may name what the user names on the command line."""
    for name in getattr(arguments, "include_package", ()):
        allow_package(name)
    if getattr(arguments, "allow_downloads", False):
        os.environ[ALLOW_DOWNLOADS] = "1"  # worker processes inherit it


def remember_plugins(plugins: ModuleType) -> None:
    """What the user lists in a file of plugins is known to the user."""
    original = plugins.discover_plugins

    @functools.wraps(original)
    def discover_plugins() -> Any:
        for name in original():
            allow_package(name)
            yield name

    plugins.discover_plugins = discover_plugins  # type: ignore[attr-defined]


def remember_packages(util: ModuleType) -> None:
    """So is what a program imports with all of its parts."""
    original = util.import_module_and_submodules

    @functools.wraps(original)
    def import_module_and_submodules(package_name: str, exclude: set[str] | None = None) -> None:
        allow_package(package_name, is_explicit=False)
        original(package_name, exclude)

    util.import_module_and_submodules = import_module_and_submodules  # type: ignore[attr-defined]
