"""
`allennlp clean CONFIG -s runs/clean`: find likely label errors in the training data of a config.
"""

import argparse
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.commands.worker_arguments import add_run_arguments, check_runs, resumable, run_engine

if TYPE_CHECKING:
    from ner_zoo.workbench.clean import Cleaning
    from ner_zoo.workbench.corrections import Change

KINDS = ("missing", "spurious", "type", "boundary")
# The minimum confidence of suspects to apply.
ABOVE = 0.98

DESCRIPTION = """\
Find likely label errors in training data. The data is split into folds, with near-duplicates in the same fold; for each
fold, a model is trained with CONFIG on all other folds and then checks the fold, which it has not seen; with --repeats,
several models with different seeds do so together. Contradictions are ranked: missing, spurious, wrongly typed and
wrongly bounded entities, and likewise relations. Writes clean.html for reading and clean.jsonl for processing into the
folder given with -s; optionally also tasks for an annotation tool, and a new corpus in which suspects are unknown or
replaced. Trained models are kept: to resume an interrupted run, or to write other outputs in seconds, repeat the
command."""

EXAMPLES = """\
examples:
  allennlp clean config.jsonnet -s runs/clean
  allennlp clean config.jsonnet -s runs/clean --repeats 3
  allennlp clean config.jsonnet -s runs/clean --folds 10 --jobs 4 -o '{"trainer.num_epochs": 10}'
  allennlp clean config.jsonnet -s runs/clean --format label_studio
  allennlp clean config.jsonnet -s runs/clean --apply replace
  allennlp clean config.jsonnet -s runs/clean --apply unknown --above 0.9
  allennlp clean config.jsonnet -s runs/clean --apply replace --above 0.8 --kinds missing    # labels of a dictionary

To train on runs/clean/cleaned.jsonl, use the reader span_json: with the loss partial_likelihood after --apply unknown,
with any loss after --apply replace.
"""


@Subcommand.register("clean")
class Clean(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Find likely label errors in training data.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("config", type=Path, help="config of a model, with the training data to clean")
        add_run_arguments(subparser, "models")
        add("--folds", type=int, default=5, help="number of folds (default: 5)")
        add("--repeats", type=int, default=1, help="models per fold, with different seeds; averaged (default: 1)")
        add("--format", default="", metavar="TOOL", help="write tasks for label_studio, doccano, prodigy, brat, …")
        add(
            "--apply",
            choices=("unknown", "replace"),
            help="write a corpus with suspects marked as unknown, or replaced",
        )
        add("--above", type=float, help="minimum confidence of suspects to apply (default: 0.98)")
        add(
            "--kinds",
            nargs="+",
            choices=KINDS,
            metavar="KIND",
            help="kinds of suspects to apply: missing, spurious, type, boundary (default: all)",
        )
        add("--cuda-device", type=int, default=-1, help="GPU id for checking the data (default: CPU)")
        subparser.set_defaults(func=clean_from_args)
        return subparser


def clean_from_args(arguments: argparse.Namespace) -> None:
    from ner_zoo.experiments.machine import describe
    from ner_zoo.workbench.clean_files import write_cleaned, write_suspects, write_tasks

    check(arguments)
    folder = arguments.serialization_dir
    cleaning = cleaned(arguments)
    write_suspects(cleaning, folder, describe(1, 1)["command"])
    print("\n".join(summary(cleaning)))
    for doubt in cleaning.doubts():
        print(f"\nWarning: {doubt}", file=sys.stderr)
    print(f"\nReport: {folder / 'clean.html'}; full list: {folder / 'clean.jsonl'}")
    if arguments.format:
        print(f"Tasks for {arguments.format}: {write_tasks(cleaning, folder, arguments.format)}")
    if arguments.apply:
        above, kinds = arguments.above or ABOVE, arguments.kinds or KINDS
        path, log = write_cleaned(cleaning, folder, arguments.apply, above, kinds)
        print(f"{applied(log)} New corpus: {path}; log: {folder / 'changes.jsonl'}")


def cleaned(arguments: argparse.Namespace) -> "Cleaning":
    """Trains missing models, and checks the data."""
    from allennlp.common import Params

    from ner_zoo.experiments.comparison import interruptible, locked
    from ner_zoo.experiments.progress import make_progress
    from ner_zoo.workbench.clean import Judges, clean
    from ner_zoo.workbench.cross_training import CrossTraining, fold_runs, seed_of
    from ner_zoo.workbench.folds import TrainingData, write_folds_of

    config: dict[str, Any] = Params.from_file(arguments.config, arguments.overrides).as_dict(quiet=True)
    data = TrainingData.of(config)
    folder = arguments.serialization_dir
    file, folds = write_folds_of(data, folder, arguments.folds, seed_of(config))
    runs = fold_runs(config, folder, file, arguments.folds, arguments.repeats)
    engine = run_engine(arguments, [run.params for run in runs])
    watch = make_progress()
    packages = arguments.include_package
    with resumable(watch, engine), locked(folder), interruptible():
        archives = CrossTraining(runs, engine, watch, packages, arguments.rerun_changed).execute()
    report = partial(print, file=sys.stderr, flush=True)
    return clean(data, Judges(folds, archives, arguments.cuda_device, report))


def check(arguments: argparse.Namespace) -> None:
    """Checks combinations of options that argparse cannot express."""
    from ner_zoo.bulk.tool_sink import TOOLS
    from ner_zoo.workbench.corrections import check_threshold

    check_runs(arguments)
    check_for_gpu(arguments.cuda_device)
    if arguments.above is not None:
        check_threshold(arguments.above)
    for option in ("above", "kinds"):
        if getattr(arguments, option) is not None and not arguments.apply:
            raise ConfigurationError(f"--{option} requires --apply, which writes a corrected corpus.")
    if arguments.repeats < 1:
        raise ConfigurationError(f"--repeats is {arguments.repeats}. Pass 1 or more.")
    if arguments.format and arguments.format not in TOOLS:
        raise ConfigurationError(f"There is no format {arguments.format!r}. Use one of {', '.join(TOOLS)}.")


def summary(cleaning: "Cleaning", most: int = 5) -> list[str]:
    """The number of suspects of each kind, and the most suspicious ones."""
    from ner_zoo.rendering.tables import text_table
    from ner_zoo.workbench.clean_files import note_of

    records = cleaning.records()
    sure = Counter((one["of"], one["kind"]) for one in records if one["confidence"] >= 0.9)
    every = Counter((one["of"], one["kind"]) for one in records)
    rows = [["", "≥ 50 %", "≥ 90 %"]] + [
        [f"{kind} {of}", f"{every[of, kind]:,}", f"{sure[of, kind]:,}"] for of, kind in sorted(every)
    ]
    sentences = len({one["sentence"] for one in records})
    head = f"{len(records):,} likely label errors in {sentences:,} of {len(cleaning.data.sentences):,} sentences"
    first = [f"{one['source']}  {note_of(one)}" for one in records[:most]]
    return [head, *(text_table(rows) if records else []), *first]


def applied(log: "list[Change]") -> str:
    done = sum(change.is_applied for change in log)
    return f"{done:,} suspects applied, {len(log) - done:,} skipped."
