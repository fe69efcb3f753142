"""`allennlp evaluate` that also prints a table of scores by type."""

import argparse
from typing import Any

from allennlp.commands import evaluate as stock
from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.platform.pretrained import take_names
from ner_zoo.rendering.score_table import score_table


@Subcommand.register("evaluate", exist_ok=True)
class Evaluate(stock.Evaluate):
    """Like AllenNLP's command, but also prints a table. `--output-file` gets the same figures as JSON."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = super().add_subparser(parser)
        take_names(subparser)
        subparser.set_defaults(func=evaluate_from_args)
        return subparser


def evaluate_from_args(arguments: argparse.Namespace) -> dict[str, Any]:
    metrics = stock.evaluate_from_args(arguments)
    print(score_table({name: value for name, value in metrics.items() if isinstance(value, (int, float))}))
    return metrics
