"""The page on commands: every `allennlp` subcommand that ner_zoo adds or changes, from its own help."""

import argparse
import re

from allennlp.commands import ArgumentParserWithDefaults, Subcommand

from reference.markdown import cell, code, document, table

# AllenNLP's own commands that users of ner_zoo need.
SHOWN_TOO = ("train",)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each subcommand, by name."""
    main = ArgumentParserWithDefaults(prog="allennlp")
    subparsers = main.add_subparsers()
    found = {}
    for name in sorted(Subcommand.list_available()):
        command = Subcommand.by_name(name)
        if command.__module__.startswith("ner_zoo.") or name in SHOWN_TOO:
            found[name] = command().add_subparser(subparsers)
    return found


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and arguments of a command, without its subcommands."""
    kinds = (argparse._HelpAction, argparse._SubParsersAction)
    return [one for one in parser._actions if not isinstance(one, kinds) and one.help is not argparse.SUPPRESS]


def inner(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Subcommands of a subcommand, such as `corpus get`."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def row(action: argparse.Action) -> tuple[str, str, str]:
    name = ", ".join(action.option_strings) or (action.metavar if isinstance(action.metavar, str) else action.dest)
    takes = isinstance(action, (argparse._StoreAction, argparse._AppendAction)) and bool(action.option_strings)
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    text = cell((action.help or "") % {**vars(action), "prog": "allennlp"})
    return code(f"{name} {metavar}" if takes else name), default(action), re.sub(r" \(default = [^()]*\)$", "", text)


def default(action: argparse.Action) -> str:
    if action.required and action.option_strings:
        return "required"
    return code(str(action.default)) if action.default not in (None, False, argparse.SUPPRESS, "", []) else ""


def entry(name: str, parser: argparse.ArgumentParser, level: str = "##") -> str:
    pieces = [f"{level} `allennlp {name}`", " ".join((parser.description or "").split())]
    rows = [row(action) for action in actions(parser)]
    if rows:
        pieces.append(table(("argument", "default", "description"), rows))
    if parser.epilog:
        examples = parser.epilog.strip().removeprefix("examples:").strip("\n")
        pieces.append("Examples:\n\n```text\n" + "\n".join(line.strip() for line in examples.splitlines()) + "\n```")
    pieces += [entry(f"{name} {one}", subparser, "###") for one, subparser in inner(parser).items()]
    return "\n\n".join(piece for piece in pieces if piece)


def page() -> str:
    return document(
        "Commands",
        "Every `allennlp` subcommand that ner_zoo adds or extends, and `train`. Each prints this with `--help`. All "
        "commands that open a model or a config also take "
        "`--include-package`, for [parts of your own](../extending.md).",
        *(entry(name, parser) for name, parser in parsers().items()),
    )
