"""
The parser of a subcommand whose help shows a description and examples verbatim, and options made of a dataclass.
"""

import argparse
import inspect
import re
from dataclasses import fields
from typing import Any


def explained(
    parser: argparse._SubParsersAction, name: str, help: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """help : the one-line summary in the list of commands."""
    return parser.add_parser(
        name,
        help=help,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_fields(parser: argparse.ArgumentParser, settings: Any) -> None:
    """Adds an option for each field of a dataclass, described in the docstring of the class as `name : description`."""
    described = dict(re.findall(r"^(\w+) : (.+(?:\n +.+)*)", inspect.getdoc(settings) or "", re.MULTILINE))
    for field in fields(settings):
        text = " ".join(described.get(field.name, "").split()).removesuffix(".")
        flag, shown = f"--{field.name.replace('_', '-')}", f"{text} (default: {field.default})"
        parser.add_argument(flag, type=type(field.default), default=field.default, help=shown)


def from_fields(settings: Any, arguments: argparse.Namespace) -> Any:
    """The dataclass with the values of its options."""
    return settings(**{field.name: getattr(arguments, field.name) for field in fields(settings)})
