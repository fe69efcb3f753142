"""
`allennlp suggest MODEL UNLABELLED… -n 200 -o next.jsonl`: what to annotate next.
"""

import argparse
import os

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.platform.pretrained import model_path, no_such_archive

DESCRIPTION = """\
Choose the rows from which a model would learn most, and write them with the model's own annotation for people to
correct. Rows are lines of JSON or plain text, also gzip, or Parquet, as for `annotate`; there may be millions of them.
Near-duplicates are left out, types are balanced, and a share of the rows is drawn at random. Killed at any moment and
started again, the command continues where it was."""

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
        subparser = explained(parser, self.name, "Choose what to annotate next.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("archive_file", type=model_path, help="a model's archive, or a name such as wnut17")
        add("input_file", nargs="+", help="texts without labels: lines (.jsonl, .txt, also .gz) or .parquet")
        add("-n", "--count", type=int, default=200, help="how many rows to suggest (default: 200)")
        add("-o", "--output", required=True, help=".jsonl or .jsonl.gz, or what --format needs")
        add(
            "--format",
            default="",
            metavar="TOOL",
            help="pre-annotations for label_studio, doccano, prodigy, brat, docbin, argilla",
        )
        add(
            "--by",
            choices=("entropy", "margin", "f1_gain", "least_confidence"),
            default="entropy",
            help="what a row is worth (default: the exact entropy of its annotation)",
        )
        add("--per-token", action="store_true", help="divide by the number of tokens, for when every word costs time")
        add("--random", type=float, default=0.1, metavar="SHARE", help="the share drawn at random (default: 0.1)")
        add("--balance", type=float, default=0.5, help="how much types are balanced: 0 not at all, 1 strongly")
        add("--seed", type=int, default=13370, help="of the random ones")
        add("--engine", choices=("local", "ray"), default="local", help="processes of this machine, or Ray")
        add("--workers", type=int, default=os.cpu_count(), help="how many models work at once (default: one per core)")
        add("--ray-address", help="a Ray cluster that is running, e.g. auto (default: start one on this machine)")
        add("--rows-per-part", type=int, default=1000, help="rows that are scored, and if killed lost, together")
        add(
            "--cuda-device", type=int, default=-1, help="id of a GPU (default: the CPU); with Ray, 0 for one per worker"
        )
        add("--overwrite", action="store_true", help="start over, and discard what is there")
        subparser.set_defaults(func=suggest_from_args)
        return subparser


def suggest_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.bulk.local_engine import LocalEngine
    from ner_zoo.bulk.progress import Progress
    from ner_zoo.bulk.ray_engine import RayEngine
    from ner_zoo.workbench.selection import Wish
    from ner_zoo.workbench.suggest import SuggestTask, suggest

    if arguments.workers < 0:
        raise ConfigurationError(f"--workers is {arguments.workers}. Give 1 or more, or 0 to work in this process.")
    if arguments.ray_address and arguments.engine != "ray":
        raise ConfigurationError("--ray-address is for --engine ray. Give both, or neither.")
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
        print(f"{arguments.output} is complete already. To make it anew, give --overwrite.")
