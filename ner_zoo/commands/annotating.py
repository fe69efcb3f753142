"""
Arguments and implementation of `allennlp annotate`. Exported models can annotate without AllenNLP installed.
"""

import argparse
import json
from typing import Any

from ner_zoo.commands.explained import explained
from ner_zoo.commands.worker_arguments import add_row_arguments, check_rows, print_complete, row_engine
from ner_zoo.platform.extras import require
from ner_zoo.platform.pretrained import model_path, no_such_archive
from ner_zoo.predictors.options import Options

DESCRIPTION = """\
Annotate every row of a file: JSON lines or plain text, optionally gzipped, or Parquet with a column named text,
sentence or tokens. The output keeps the order and fields of the input rows and adds the predictions. A row that cannot
be annotated gets an error field. To resume an interrupted run, repeat the command."""

EXAMPLES = """\
examples:
  allennlp annotate model.tar.gz news.jsonl.gz -o annotated.jsonl.gz
  allennlp annotate model.tar.gz news.parquet -o annotated.parquet --workers 8
  allennlp annotate --light model.ner news.jsonl -o annotated.jsonl
  allennlp annotate model.tar.gz news.txt -o tasks.json --format label_studio
  allennlp annotate model.tar.gz news.jsonl -o annotated.jsonl --engine ray --ray-address auto --workers 64
"""


def add_annotate(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """The subcommand `annotate`."""
    subparser = explained(parser, "annotate", "Annotate a file of any size.", DESCRIPTION, EXAMPLES)
    add = subparser.add_argument
    add("archive_file", type=model_path, help="a model archive, a name such as wnut17, or an export")
    add("input_file", help=".jsonl or .txt, optionally gzipped, or .parquet")
    add("-o", "--output", required=True, help=".jsonl, .jsonl.gz, .parquet, or .conll")
    add_row_arguments(subparser, "written")
    add("--light", action="store_true", help="the model is an export: start without torch (see `allennlp export`)")
    add("--threshold", type=float, default=0.0, help="drop predictions with a lower probability")
    add("--top-k", type=int, default=0, help="also return this many alternative taggings")
    add("--flat", action="store_true", help="of overlapping entities, keep only the most probable")
    add(
        "--predictor-args",
        default="{}",
        metavar="JSON",
        help="predictor options, e.g. '{\"max_tokens_per_batch\": 8192}'",
    )
    add("--strict", action="store_true", help="stop at the first row that cannot be annotated")
    subparser.set_defaults(func=annotate_from_args)
    return subparser


def annotate_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.bulk.progress import Progress
    from ner_zoo.bulk.run import Task, annotate
    from ner_zoo.light.export_file import is_export, no_such_export

    is_light = arguments.light or is_export(arguments.archive_file)
    if is_light:
        require("onnxruntime", "`allennlp annotate` with an export", "light")
    check_rows(arguments, not is_light, no_such_export if is_light else no_such_archive)
    task = Task(
        arguments.archive_file,
        arguments.input_file,
        arguments.output,
        arguments.rows_per_part,
        arguments.cuda_device,
        predictor_args(arguments),
        arguments.format,
        tuple(arguments.include_package),
        is_light,
    )
    if not annotate(task, row_engine(arguments, task.worker_settings()), Progress(), arguments.overwrite):
        print_complete(arguments)


def predictor_args(arguments: argparse.Namespace) -> dict[str, Any]:
    """Parses and checks the predictor options once, before any worker starts."""
    options = Options(arguments.threshold, arguments.top_k, not arguments.flat)
    given = {"threshold": options.threshold, "top_k": options.top_k, "nested": options.nested}
    return {**given, "strict": arguments.strict, **json.loads(arguments.predictor_args)}
