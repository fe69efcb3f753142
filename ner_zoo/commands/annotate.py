"""
`allennlp annotate model.tar.gz INPUT -o OUT`: annotate a collection of any size, on this machine or on a cluster.
"""

import argparse

from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.commands.annotating import add_annotate


@Subcommand.register("annotate")
class Annotate(Subcommand):
    """Parquet and Ray need `pip install ner_zoo[bulk]`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        return add_annotate(parser)
