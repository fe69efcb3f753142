"""
`allennlp serve model.tar.gz`: serve models over HTTP, with a page to try them.
"""

import argparse

from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.commands.serving import add_serve


@Subcommand.register("serve")
class Serve(Subcommand):
    """Needs the packages of the extra `serve`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        return add_serve(parser)
