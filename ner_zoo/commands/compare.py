"""
`allennlp compare A.jsonnet B.jsonnet … --seeds 3 -s runs/NAME`: configs against each other, over seeds.
"""

import argparse
import logging
import sys
from pathlib import Path

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from overrides import overrides

DESCRIPTION = """\
Train every config with every seed, side by side, and say which one is better and how sure that is. What is finished is
not trained again: killed at any moment and started again, the command goes on where it was. A run that fails is
reported and does not stop the others. Writes compare.md, compare.json and compare.png into the folder given with -s."""

EXAMPLES = """\
examples:
  allennlp compare nll.jsonnet hinge.jsonnet --seeds 3 -s runs/losses
  allennlp compare nll.jsonnet hinge.jsonnet --seeds 1,2,3,4,5 -s runs/losses --jobs 4 -o '{"trainer.num_epochs": 10}'

A config may take what another one of the same comparison has trained with the same seed: in any string of a config,
{run:nll} stands for the folder of nll's run, e.g. "{run:nll}/best.th", and that run is trained first.
"""


@Subcommand.register("compare")
class Compare(Subcommand):
    """The first config is what the others are tested against."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = parser.add_parser(
            self.name,
            description=DESCRIPTION,
            epilog=EXAMPLES,
            help="Compare configs over seeds.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add = subparser.add_argument
        add("configs", nargs="+", type=Path, help="configs; the first is the baseline")
        add("-s", "--serialization-dir", type=Path, required=True, help="where runs and results go")
        add("--seeds", default="3", help="how many, from each config's own on; or which ones, e.g. 1,2,3")
        add("-o", "--overrides", default="", help="as in allennlp train, for all configs")
        add("--jobs", type=int, help="runs at once, which share out the cores (default: one per core)")
        add("--metric", action="append", default=[], help="to report, repeatable (default: what the configs select by)")
        add("--rerun-changed", action="store_true", help="train runs of changed configs anew, keep the old ones")
        subparser.set_defaults(func=compare_from_args)
        return subparser


def compare_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.experiments import machine
    from ner_zoo.experiments.comparison import compare
    from ner_zoo.experiments.markdown import lines_of
    from ner_zoo.experiments.plan import make_plan
    from ner_zoo.experiments.progress import Lines
    from ner_zoo.experiments.schedule import LocalEngine, cores

    jobs = cores() if arguments.jobs is None else arguments.jobs
    if jobs < 1:
        raise ConfigurationError(f"--jobs is {jobs}. Give 1 or more.")
    # What is logged about evaluating configs is of no use here.
    logging.getLogger("allennlp.common.params").setLevel(logging.WARNING)
    plan = make_plan(arguments.configs, arguments.serialization_dir, arguments.seeds, arguments.overrides)
    engine = LocalEngine(min(jobs, len(plan.runs)))
    described = machine.describe(engine.slots, engine.threads)
    try:
        summary = compare(
            plan,
            arguments.serialization_dir,
            engine,
            described,
            Lines(),
            arguments.metric,
            arguments.include_package,
            arguments.rerun_changed,
        )
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on where it was.", file=sys.stderr)
        sys.exit(130)
    print("\n".join(lines_of(summary)))
    if not all(result.is_finished for result in summary.results):
        sys.exit(1)
