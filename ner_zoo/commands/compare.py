"""
`allennlp compare A.jsonnet B.jsonnet … --seeds 3 -s runs/NAME`: compare configs over several seeds.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.commands.worker_arguments import add_run_arguments, check_runs, resumable, run_engine

if TYPE_CHECKING:
    from ner_zoo.experiments.summary import Summary

DESCRIPTION = """\
Train every config with every seed and report which config is better and whether the difference is significant. Finished
runs are not repeated: to resume an interrupted comparison, repeat the command. A failed run is reported and does not
stop the others. Writes compare.md, compare.json and compare.png into the folder given with -s."""

EXAMPLES = """\
examples:
  allennlp compare nll.jsonnet hinge.jsonnet --seeds 3 -s runs/losses
  allennlp compare nll.jsonnet hinge.jsonnet --seeds 1,2,3,4,5 -s runs/losses --jobs 4 -o '{"trainer.num_epochs": 10}'
  allennlp compare nll.jsonnet margin.jsonnet -s runs/margin --vary model.loss.df=0.85,0.9,0.95 --test test.conll
  allennlp compare margin.jsonnet -s runs/search --vary model.loss.df=0.85,0.9,0.95 --vary trainer.grad_norm=1,2,5 \\
      --search optuna --trials 5

A config can use what another config of the same comparison trained with the same seed: in any string of a config,
{run:nll} is replaced by the folder of that run, e.g. "{run:nll}/best.th", and that run is trained first.
"""


@Subcommand.register("compare")
class Compare(Subcommand):
    """Compares configs over seeds; the first config is the baseline."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Compare configs over seeds.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("configs", nargs="+", type=Path, help="configs; the first is the baseline")
        add_run_arguments(subparser, "runs")
        add("--seeds", default="3", help="number of seeds, counting up from each config's own; or a list, e.g. 1,2,3")
        add(
            "--metric",
            action="append",
            default=[],
            help="metric to report; repeatable (default: the validation metric)",
        )
        add(
            "--test",
            metavar="FILE",
            help="evaluate the models that are best on dev on this file (default: the configs' test_data_path)",
        )
        add("--paired", action="store_true", help="test single runs sentence by sentence (default with one seed)")
        add("--vary", action="append", default=[], metavar="KEY=VALUE,...", help="values to try for a config key")
        add(
            "--search",
            choices=("grid", "optuna"),
            default="grid",
            help="try all combinations of --vary, or search them with Optuna",
        )
        add("--trials", type=int, default=20, help="combinations that Optuna tries per config")
        subparser.set_defaults(func=compare_from_args)
        return subparser


def compare_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.experiments.comparison import Comparison
    from ner_zoo.experiments.machine import describe
    from ner_zoo.experiments.markdown import lines_of
    from ner_zoo.experiments.plan import Variation, make_plan
    from ner_zoo.experiments.progress import make_progress

    check(arguments)
    variations = [Variation.parse(text) for text in arguments.vary]
    folder = arguments.serialization_dir
    plan = make_plan(arguments.configs, folder, arguments.seeds, arguments.overrides, variations)
    engine = run_engine(arguments, [run.params for run in plan.runs])
    watch = make_progress()
    machine = describe(engine.slots, engine.threads)
    comparison = Comparison(
        plan,
        folder,
        engine,
        machine,
        watch,
        watch.say,
        metrics=arguments.metric,
        packages=arguments.include_package,
        rerun_changed=arguments.rerun_changed,
        test=arguments.test,
        is_paired=arguments.paired,
        variations=variations,
        trials=arguments.trials if arguments.search == "optuna" else 0,
    )
    with resumable(watch, engine):
        summary = comparison.run()
    print("\n".join(lines_of(summary)))
    unknown = unknown_metrics(arguments.metric, summary)
    if unknown:
        print(unknown, file=sys.stderr)
    print(f"\nFull report: {folder / 'compare.md'}")
    if not all(result.is_finished for result in summary.results):
        sys.exit(1)


def check(arguments: argparse.Namespace) -> None:
    """Checks combinations of options that argparse cannot express."""
    check_runs(arguments)
    if arguments.trials < 1:
        raise ConfigurationError(f"--trials is {arguments.trials}. Pass 1 or more.")
    if arguments.search != "grid" and not arguments.vary:
        raise ConfigurationError("--search requires --vary, which lists the values to try. Pass both or neither.")
    if arguments.test:
        from ner_zoo.data.corpora.corpus import Corpus
        from ner_zoo.data.sources import sources

        try:
            sources(Corpus(), arguments.test)
        except ConfigurationError as error:
            raise ConfigurationError(f"The test file {arguments.test} does not exist.") from error


def unknown_metrics(asked: list[str], summary: "Summary") -> str:
    """A note about requested metrics that no run reports, listing the known ones; empty if every run has them all."""
    known = sorted({name for result in summary.results if result.is_finished for name in result.scores.dev})
    unknown = [name for name in asked if known and name not in known]
    return f"\nNo run reports the metric {', '.join(unknown)}. Available: {', '.join(known)}." if unknown else ""
