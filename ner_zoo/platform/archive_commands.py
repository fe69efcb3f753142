"""
How the `allennlp` command treats archives: adds `--include-package` and `--allow-downloads`.

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

# Commands that build the user's own config. Archives that they open along the way are guarded only while open.
TRAINING_COMMANDS = ("train", "compare", "clean", "find-lr", "build-vocab")
# Arguments with one of these names are archives.
USES_ARCHIVES = ("archive_file", "archive", "model", "archive_and_file")
ALLOW_DOWNLOADS_HELP = "allow downloads that an archive asks for (default: use local files only)"


def guarded(command: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """Runs a command; if it only uses archives, the guard stays active from the first archive to the end."""

    def run(prog: str | None) -> None:
        if not set(sys.argv[1:2]) & set(TRAINING_COMMANDS):
            stay_for_command()
        command(prog)

    return lambda prog: contextvars.copy_context().run(run, prog)


def allow_what_is_named(arguments: Any) -> None:
    """Allows archives to use the packages that the user names on the command line."""
    for name in getattr(arguments, "include_package", ()):
        allow_package(name)
    if getattr(arguments, "allow_downloads", False):
        os.environ[ALLOW_DOWNLOADS] = "1"  # worker processes inherit it


def remember_plugins(plugins: ModuleType) -> None:
    """Allows archives to use the packages listed in the user's plugin file."""
    original = plugins.discover_plugins

    @functools.wraps(original)
    def discover_plugins() -> Any:
        for name in original():
            allow_package(name)
            yield name

    plugins.discover_plugins = discover_plugins  # type: ignore[attr-defined]


def remember_packages(util: ModuleType) -> None:
    """Allows archives to use packages that a program imported with all of their submodules."""
    original = util.import_module_and_submodules

    @functools.wraps(original)
    def import_module_and_submodules(package_name: str, exclude: set[str] | None = None) -> None:
        allow_package(package_name, is_explicit=False)
        original(package_name, exclude)

    util.import_module_and_submodules = import_module_and_submodules  # type: ignore[attr-defined]
