"""
The `allennlp` command: the screen stays quiet unless `-v` is given, archives stay guarded until the end, and user
errors are reported in a few lines.
"""

import functools
from argparse import ArgumentParser
from types import ModuleType
from typing import Any

from ner_zoo.platform.archive_commands import ALLOW_DOWNLOADS_HELP, USES_ARCHIVES, allow_what_is_named, guarded
from ner_zoo.platform.errors import with_short_errors
from ner_zoo.platform.screen import VERBOSE, set_up_screen


def improve_commands(commands: ModuleType) -> None:
    original_main, original_parse = commands.main, commands.parse_args

    class Parser(commands.ArgumentParserWithDefaults):  # type: ignore[name-defined, misc]
        """Adds `-v` to every command, also before its name, and `--allow-downloads` to commands that use archives."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            # A command from a user's plugin may define another -v.
            super().__init__(*arguments, **{"conflict_handler": "resolve", **options})
            self.add_argument(*VERBOSE, action="store_true", help="show the full log on the screen")

        def add_argument(self, *names: Any, **options: Any) -> Any:
            # AllenNLP adds --include-package to every command, after the command's own arguments.
            if "--include-package" in names and any(action.dest in USES_ARCHIVES for action in self._actions):
                super().add_argument("--allow-downloads", action="store_true", help=ALLOW_DOWNLOADS_HELP)
            if "(default" in options.get("help", ""):
                # AllenNLP would state the default a second time.
                return ArgumentParser.add_argument(self, *names, **options)
            return super().add_argument(*names, **options)

    @functools.wraps(original_parse)
    def parse_args(prog: str | None = None) -> Any:
        parser, arguments = original_parse(prog)
        allow_what_is_named(arguments)
        return parser, arguments

    @functools.wraps(original_main)
    def main(prog: str | None = None) -> None:
        set_up_screen()
        guarded(original_main)(prog)

    Parser.__name__ = commands.ArgumentParserWithDefaults.__name__
    commands.ArgumentParserWithDefaults = Parser  # type: ignore[attr-defined]
    commands.main, commands.parse_args = with_short_errors(main), parse_args  # type: ignore[attr-defined]
