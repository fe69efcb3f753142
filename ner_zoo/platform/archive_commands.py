"""
The `allennlp` command and archives: `--include-package` and `--allow-downloads` say what an archive may name.

In a command that only uses archives, the guard stays active from the first archive to the end.
"""

import contextvars
import functools
import os
import sys
from types import ModuleType
from typing import Any

from ner_zoo.platform.archive_allowlist import allow_package
from ner_zoo.platform.archive_guard import ALLOW_DOWNLOADS, stay_for_command

# Commands that build the user's own config. What they open in passing is guarded only while it is open.
TRAINING_COMMANDS = ("train", "compare", "clean", "find-lr", "build-vocab")
ARCHIVES = ("archive_file", "archive", "model", "archive_and_file")
HELP = "let what an archive names be downloaded (default: only what is on this machine is used)"


def keep_guard(commands: ModuleType) -> None:
    original_main, original_parse = commands.main, commands.parse_args
    original_add = commands.ArgumentParserWithDefaults.add_argument

    @functools.wraps(original_main)
    def main(prog: str | None = None) -> None:
        def run() -> None:
            if not set(sys.argv[1:2]) & set(TRAINING_COMMANDS):
                stay_for_command()
            original_main(prog)

        contextvars.copy_context().run(run)

    @functools.wraps(original_parse)
    def parse_args(prog: str | None = None) -> Any:
        parser, arguments = original_parse(prog)
        for name in getattr(arguments, "include_package", ()):
            allow_package(name)
        if getattr(arguments, "allow_downloads", False):
            os.environ[ALLOW_DOWNLOADS] = "1"  # worker processes inherit it
        return parser, arguments

    @functools.wraps(original_add)
    def add_argument(self: Any, *names: Any, **options: Any) -> Any:
        # AllenNLP adds --include-package to every command, after the command's own arguments.
        if "--include-package" in names and any(action.dest in ARCHIVES for action in self._actions):
            original_add(self, "--allow-downloads", action="store_true", help=HELP)
        return original_add(self, *names, **options)

    commands.main, commands.parse_args = main, parse_args  # type: ignore[attr-defined]
    commands.ArgumentParserWithDefaults.add_argument = add_argument


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
