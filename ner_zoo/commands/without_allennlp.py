"""
The `allennlp` command if AllenNLP is not installed or `--light` is given: the commands that run exported models, with
the same code as the full command.
"""

import argparse

from ner_zoo.commands.annotating import add_annotate
from ner_zoo.commands.export_predicting import add_export_predict
from ner_zoo.commands.serving import add_serve
from ner_zoo.platform.errors import with_short_errors
from ner_zoo.platform.screen import VERBOSE, set_up_screen
from ner_zoo_hook import INSTALL

DESCRIPTION = f"""\
Run exported models, which need neither torch nor AllenNLP. For everything else (train, evaluate, export, compare and so
on) install the full package: pip install ner_zoo && {INSTALL}"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="allennlp", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = made.add_subparsers(title="commands", metavar="")
    for add in (add_export_predict, add_annotate, add_serve):
        subparser = add(commands)
        subparser.add_argument(*VERBOSE, action="store_true", help="show the full log on the screen")
        subparser.set_defaults(include_package=[], light=True)
    return made


def run(prog: str | None = None) -> None:
    set_up_screen()
    made = parser()
    arguments = made.parse_args()
    if "func" in arguments:
        arguments.func(arguments)
    else:
        made.print_help()


def main() -> None:
    with_short_errors(run)(None)


if __name__ == "__main__":
    main()
