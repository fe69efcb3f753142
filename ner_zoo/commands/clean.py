"""
`allennlp clean CONFIG -s runs/clean`: likely label errors in the training data of a config.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from overrides import overrides

from ner_zoo.commands.explained import explained

if TYPE_CHECKING:
    from ner_zoo.workbench.clean import Cleaning
    from ner_zoo.workbench.corrections import Change

DESCRIPTION = """\
Find likely label errors in training data. The data is cut into folds, near-duplicates into the same one; for each fold
a model is trained on all the others, as CONFIG says, and judges the sentences of its own, which it has not seen. What
the models contradict is ranked: missing, spurious, wrongly typed and wrongly bounded entities, and relations likewise.
Writes clean.html to look at and clean.jsonl to work with into the folder given with -s; on request tasks for an
annotation tool, and a new corpus in which suspects are unknown or replaced. What is trained is not trained again:
killed at any moment and started again, the command resumes, and other outputs cost seconds."""

EXAMPLES = """\
examples:
  allennlp clean config.jsonnet -s runs/clean
  allennlp clean config.jsonnet -s runs/clean --folds 10 --jobs 4 -o '{"trainer.num_epochs": 10}'
  allennlp clean config.jsonnet -s runs/clean --format label_studio
  allennlp clean config.jsonnet -s runs/clean --apply unknown --above 0.9

Train on runs/clean/cleaned.jsonl with the reader span_json: with the loss partial_likelihood after --apply unknown,
with any loss after --apply replace.
"""


@Subcommand.register("clean")
class Clean(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Find likely label errors in training data.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("config", type=Path, help="of a model, with the training data to clean")
        add("-s", "--serialization-dir", type=Path, required=True, help="where models and results go")
        add("--folds", type=int, default=5, help="parts of the data, and models to train (default: 5)")
        add("-o", "--overrides", default="", help="as in allennlp train")
        add("--format", default="", metavar="TOOL", help="write tasks for label_studio, doccano, prodigy, brat, …")
        add("--apply", choices=("unknown", "replace"), help="write a corpus with suspects unknown, or replaced")
        add("--above", type=float, default=0.9, help="the confidence from which suspects are applied (default: 0.9)")
        add("--jobs", type=int, help="models trained at once (default: one per core)")
        add("--engine", choices=("local", "ray"), default="local", help="processes of this machine, or Ray")
        add("--ray-address", help="a Ray cluster that is running, e.g. auto (default: start one on this machine)")
        add("--rerun-changed", action="store_true", help="train again if config or data changed, keep the old models")
        add("--cuda-device", type=int, default=-1, help="id of a GPU to judge with (default: the CPU)")
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
    print(f"\nReport: {folder / 'clean.html'}; all of them: {folder / 'clean.jsonl'}")
    if arguments.format:
        print(f"Tasks for {arguments.format}: {write_tasks(cleaning, folder, arguments.format)}")
    if arguments.apply:
        path, log = write_cleaned(cleaning, folder, arguments.apply, arguments.above)
        print(f"{applied(log)} New corpus: {path}; log: {folder / 'changes.jsonl'}")


def cleaned(arguments: argparse.Namespace) -> "Cleaning":
    """Trains what is not trained yet, and judges."""
    from allennlp.common import Params

    from ner_zoo.experiments.comparison import interruptible, locked
    from ner_zoo.experiments.progress import make_progress
    from ner_zoo.workbench.clean import clean
    from ner_zoo.workbench.cross_training import CrossTraining, fold_runs, seed_of
    from ner_zoo.workbench.folds import TrainingData, make_folds, write_folds_of

    config: dict[str, Any] = Params.from_file(arguments.config, arguments.overrides).as_dict(quiet=True)
    data = TrainingData.of(config)
    make_folds(data.sentences, arguments.folds, seed_of(config))  # what cannot be cut leaves no folder behind
    folder = arguments.serialization_dir
    folder.mkdir(parents=True, exist_ok=True)
    file, folds = write_folds_of(data, folder, arguments.folds, seed_of(config))
    runs = fold_runs(config, folder, file, arguments.folds)
    engine = make_engine(arguments, runs[0].params, len(runs))
    watch = make_progress()
    packages = arguments.include_package
    try:
        with locked(folder), interruptible():
            archives = CrossTraining(runs, engine, watch, packages, arguments.rerun_changed).execute()
    except KeyboardInterrupt:
        print("\nInterrupted. The same command resumes.", file=sys.stderr)
        sys.exit(130)
    finally:
        watch.close()
        engine.close()
    return clean(data, folds, archives, arguments.cuda_device)


def make_engine(arguments: argparse.Namespace, params: dict[str, Any], runs: int) -> Any:
    from ner_zoo.experiments.ray_engine import RayEngine
    from ner_zoo.experiments.schedule import LocalEngine
    from ner_zoo.platform.threads import cores, threads_for

    jobs = min(arguments.jobs or cores(), runs)
    threads = threads_for([params], jobs)
    return RayEngine(jobs, arguments.ray_address, threads) if arguments.engine == "ray" else LocalEngine(jobs, threads)


def check(arguments: argparse.Namespace) -> None:
    """What argparse cannot."""
    from ner_zoo.bulk.tool_sink import TOOLS
    from ner_zoo.workbench.corrections import check_threshold

    check_for_gpu(arguments.cuda_device)
    check_threshold(arguments.above)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise ConfigurationError(f"--jobs is {arguments.jobs}. Give 1 or more.")
    if arguments.ray_address and arguments.engine != "ray":
        raise ConfigurationError("--ray-address is for --engine ray. Give both, or neither.")
    if arguments.serialization_dir.is_file():
        raise ConfigurationError(f"{arguments.serialization_dir} is a file. Give a folder with -s.")
    if arguments.format and arguments.format not in TOOLS:
        raise ConfigurationError(f"There is no format {arguments.format!r}. Use one of {', '.join(TOOLS)}.")


def summary(cleaning: "Cleaning", most: int = 5) -> list[str]:
    """How many of each kind there are, and the most suspicious ones."""
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
