"""
`allennlp suggest MODEL UNLABELLED… -n 200 -o next.jsonl`: select what to annotate next.
"""

import argparse
import os

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.platform.pretrained import model_path, no_such_archive

DESCRIPTION = """\
Select the rows from which a model would learn most, and write them with the model's predictions for people to correct.
Rows are JSON lines or plain text, optionally gzipped, or Parquet, as for `annotate`; there may be millions of them.
Near-duplicates are left out, types are balanced, and a share of the rows is drawn at random. To resume an interrupted
run, repeat the command."""

EXAMPLES = """\
examples:
  allennlp suggest model.tar.gz news.txt -n 200 -o next.jsonl
  allennlp suggest wnut17 tweets/*.jsonl.gz -n 500 -o tasks.json --format label_studio
  allennlp suggest model.tar.gz news.parquet -n 200 -o next.jsonl --by f1_gain --random 0.2 --workers 8
  allennlp suggest model.tar.gz news.jsonl -n 200 -o next.jsonl --engine ray --ray-address auto --workers 64
"""


@Subcommand.register("suggest")
class Suggest(Subcommand):
    """Parquet and Ray need `pip install ner_zoo[bulk]`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Select what to annotate next.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("archive_file", type=model_path, help="a model archive, or a name such as wnut17")
        add("input_file", nargs="+", help="unlabelled texts: .jsonl or .txt, optionally gzipped, or .parquet")
        add("-n", "--count", type=int, default=200, help="number of rows to suggest (default: 200)")
        add("-o", "--output", required=True, help=".jsonl, .jsonl.gz, or a file for --format")
        add(
            "--format",
            default="",
            metavar="TOOL",
            help="write pre-annotations for label_studio, doccano, prodigy, brat, docbin, argilla",
        )
        add(
            "--by",
            choices=("entropy", "margin", "f1_gain", "least_confidence"),
            default="entropy",
            help="measure of what a row is worth (default: the exact entropy of its annotation)",
        )
        add("--per-token", action="store_true", help="divide the measure by the number of tokens")
        add("--random", type=float, default=0.1, metavar="SHARE", help="share drawn at random (default: 0.1)")
        add("--balance", type=float, default=0.5, help="how much types are balanced: 0 not at all, 1 strongly")
        add("--seed", type=int, default=13370, help="random seed")
        add("--engine", choices=("local", "ray"), default="local", help="local processes, or Ray")
        add("--workers", type=int, default=os.cpu_count(), help="number of worker processes (default: one per core)")
        add("--ray-address", help="address of a running Ray cluster, e.g. auto (default: start one locally)")
        add(
            "--rows-per-part",
            type=int,
            default=1000,
            help="rows scored at once; an interrupted run loses at most this many per worker",
        )
        add("--cuda-device", type=int, default=-1, help="GPU id (default: CPU); with Ray, 0 gives each worker one GPU")
        add("--overwrite", action="store_true", help="discard existing output and start over")
        subparser.set_defaults(func=suggest_from_args)
        return subparser


def suggest_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.bulk.local_engine import LocalEngine
    from ner_zoo.bulk.progress import Progress
    from ner_zoo.bulk.ray_engine import RayEngine
    from ner_zoo.workbench.selection import Wish
    from ner_zoo.workbench.suggest import SuggestTask, suggest

    if arguments.workers < 0:
        raise ConfigurationError(f"--workers is {arguments.workers}. Pass 1 or more, or 0 to run in this process.")
    if arguments.ray_address and arguments.engine != "ray":
        raise ConfigurationError("--ray-address requires --engine ray. Pass both or neither.")
    if not os.path.exists(arguments.archive_file):
        raise ConfigurationError(no_such_archive(arguments.archive_file))
    if arguments.engine == "local":
        check_for_gpu(arguments.cuda_device)
    task = SuggestTask(
        arguments.archive_file,
        arguments.input_file,
        arguments.output,
        Wish(arguments.count, arguments.random, arguments.balance, arguments.seed),
        arguments.by,
        arguments.per_token,
        arguments.rows_per_part,
        arguments.cuda_device,
        tool=arguments.format,
        packages=tuple(arguments.include_package),
    )
    engine: LocalEngine | RayEngine = LocalEngine(task.recipe(), arguments.workers, task.make_worker())
    if arguments.engine == "ray":
        engine = RayEngine(task.recipe(), arguments.workers, arguments.ray_address, task.make_worker())
    count = suggest(task, engine, Progress(), arguments.overwrite)
    if count:
        print(f"{count} rows to annotate are in {arguments.output}.")
    else:
        print(f"{arguments.output} is already complete. To start over, pass --overwrite.")
