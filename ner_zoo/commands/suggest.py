"""
`allennlp suggest MODEL UNLABELLED… -n 200 -o next.jsonl`: select what to annotate next.
"""

import argparse

from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.commands.worker_arguments import add_row_arguments, check_rows, print_complete, row_engine
from ner_zoo.platform.pretrained import model_path

DESCRIPTION = """\
Select the rows from which a model would learn most, and write them with the model's predictions for people to correct.
Rows are JSON lines or plain text, optionally gzipped, or Parquet, as for `annotate`; there may be millions of them.
Near-duplicates are left out; optionally, types are balanced and a share of the rows is drawn at random. To resume an
interrupted run, repeat the command."""

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
        add_row_arguments(subparser, "scored")
        add(
            "--by",
            choices=("least_confidence", "entropy", "margin", "f1_gain"),
            default="least_confidence",
            help="measure of what a row is worth (default: how improbable its best annotation is)",
        )
        add("--per-token", action="store_true", help="divide the measure by the number of tokens")
        add("--random", type=float, default=0.0, metavar="SHARE", help="share drawn at random (default: 0)")
        add("--balance", type=float, default=0.0, help="how much types are balanced, from 0 (default) to 1")
        add("--seed", type=int, default=13370, help="random seed")
        subparser.set_defaults(func=suggest_from_args)
        return subparser


def suggest_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.bulk.progress import Progress
    from ner_zoo.workbench.selection import SelectionOptions
    from ner_zoo.workbench.suggest import SuggestTask, suggest

    check_rows(arguments)
    task = SuggestTask(
        arguments.archive_file,
        arguments.input_file,
        arguments.output,
        SelectionOptions(arguments.count, arguments.random, arguments.balance, arguments.seed),
        arguments.by,
        arguments.per_token,
        arguments.rows_per_part,
        arguments.cuda_device,
        tool=arguments.format,
        packages=tuple(arguments.include_package),
    )
    engine = row_engine(arguments, task.worker_settings(), task.make_worker())
    count = suggest(task, engine, Progress(), arguments.overwrite)
    if count:
        print(f"{count} {'row to annotate is' if count == 1 else 'rows to annotate are'} in {arguments.output}.")
    else:
        print_complete(arguments)
