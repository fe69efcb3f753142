"""
`allennlp export model.tar.gz -o model.ner`: export a model that runs without torch.
"""

import argparse
import os
from typing import Any

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.platform.extras import require
from ner_zoo.platform.output_path import refuse_input_as_output
from ner_zoo.platform.pretrained import model_path

# Points of F1 that an export may lose.
MAX_LOSS = 0.3

DESCRIPTION = """\
Write a model as one file that `ner_zoo.light` runs with onnxruntime and numpy: the same predictions without torch. With
an annotated file, F1 is measured before and after, and an export that loses too much is refused."""

EXAMPLES = """\
examples:
  allennlp export model.tar.gz -o model.ner
  allennlp export model.tar.gz -o model.ner --int8 --evaluate-on dev.conll
  allennlp serve model.ner
  allennlp annotate model.ner news.jsonl -o annotated.jsonl
"""


@Subcommand.register("export")
class ExportCommand(Subcommand):
    """Needs the packages of the extra `export`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Export a model that runs without torch.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("archive_file", type=model_path, help="a model archive, or a name such as wnut17")
        add("-o", "--output", required=True, help="file to write, e.g. model.ner")
        add("--int8", action="store_true", help="store encoder weights and word vectors in 8 bits")
        add("--evaluate-on", metavar="FILE", help="annotated file to measure F1 on, before and after")
        add("--max-loss", type=float, help="maximum loss of F1 in points, with --evaluate-on (default: 0.3)")
        subparser.set_defaults(func=export_from_args)
        return subparser


def export_from_args(arguments: argparse.Namespace) -> None:
    require("onnx", "`allennlp export`", "export")
    require("onnxruntime", "`allennlp export`", "export")
    from ner_zoo.exporting.export import exported
    from ner_zoo.exporting.quantize import quantized
    from ner_zoo.light.predictor import LightPredictor
    from ner_zoo.platform.atomic_files import replacing
    from ner_zoo.predictors.loading import open_predictor
    from ner_zoo.predictors.model_cards import card_of

    refuse_input_as_output(arguments.output, [arguments.archive_file])
    if os.path.isdir(arguments.output):
        raise ConfigurationError(f"{arguments.output} is a folder. Pass the name of a file, such as model.ner.")
    if arguments.max_loss is not None and not arguments.evaluate_on:
        raise ConfigurationError("--max-loss requires --evaluate-on, the file to measure F1 on.")
    predictor = open_predictor(arguments.archive_file)
    export = exported(predictor, card_of(arguments.archive_file))
    if arguments.int8:
        export = quantized(export)
    if arguments.evaluate_on:
        max_loss = MAX_LOSS if arguments.max_loss is None else arguments.max_loss
        check_loss(predictor, LightPredictor(export), arguments.evaluate_on, max_loss)
    elif arguments.int8:
        print("F1 was not measured. To compare it before and after, pass --evaluate-on FILE.")
    with replacing(arguments.output) as new:
        export.write(str(new))
    print(f"Wrote {arguments.output}, {os.path.getsize(arguments.output) / 1e6:.1f} MB. To run it: ", end="")
    print(f"allennlp serve --light {arguments.output}")


def check_loss(before: Any, after: Any, file: str, max_loss: float) -> None:
    """Prints F1 of the model and of its export on a file; refuses an export that loses too much."""
    from ner_zoo.exporting.measure import f1_of, gold_sentences

    sentences = gold_sentences(before, file)
    scores, exported_scores = f1_of(before, sentences), f1_of(after, sentences)
    for name, score in scores.items():
        other = exported_scores[name]
        print(f"{name} on {file}: {score:.2f} before, {other:.2f} after ({other - score:+.2f})")
    name = max(scores, key=lambda name: scores[name] - exported_scores[name])
    loss = scores[name] - exported_scores[name]
    if loss > max_loss:
        raise ConfigurationError(
            f"The export loses {loss:.2f} points of {name} on {file}, more than --max-loss {max_loss:g}. Nothing was "
            "written. Remove --int8, or pass a higher --max-loss."
        )
