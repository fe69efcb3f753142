"""`allennlp evaluate` that also prints a table of scores by type."""

import argparse
from collections.abc import Mapping
from typing import Any

from allennlp.commands import evaluate as stock
from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.platform.pretrained import take_names
from ner_zoo.rendering.tables import text_table

F1 = "_f1"
FIGURES = ("precision", "recall", "f1")


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


def score_table(metrics: Mapping[str, float]) -> str:
    """A block per F1 metric, with every type and the overall figures; then the other metrics."""
    names = [name.removesuffix(F1) for name in metrics if name.endswith(F1) and "/" not in name]
    blocks = [_block(name, metrics) for name in names]
    shown = {f"{name}_{figure}" for name in names for figure in FIGURES}
    others = [(name, value) for name, value in metrics.items() if name.partition("/")[0] not in shown]
    if others:
        blocks.append("\n".join(text_table([(name, f"{value:.4f}") for name, value in others])))
    return "\n\n".join(blocks)


def _block(name: str, metrics: Mapping[str, float]) -> str:
    prefix = f"{name}{F1}/"
    types = [key.removeprefix(prefix) for key in metrics if key.startswith(prefix)]
    rows = [(type, *_percentages(name, f"/{type}", metrics)) for type in types]
    total = ("all", *_percentages(name, "", metrics))
    return "\n".join(text_table([(name, "precision", "recall", "F1"), *rows, total]))


def _percentages(name: str, suffix: str, metrics: Mapping[str, float]) -> list[str]:
    return [f"{100 * metrics[f'{name}_{figure}{suffix}']:.2f}" for figure in FIGURES]
