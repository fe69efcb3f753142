"""
`allennlp analyze model.tar.gz FILE -o report/`: what a model gets right and wrong on a file, and how sure it was.
"""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError, check_for_gpu
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.platform.pretrained import model_path

if TYPE_CHECKING:
    from ner_zoo.analysis.analysis import Analysis, Tempered
    from ner_zoo.analysis.answers import Answers
    from ner_zoo.analysis.evaluated_model import EvaluatedModel
    from ner_zoo.analysis.temperature import Fit

DESCRIPTION = """\
Look at what a model does on an annotated file: scores of each type, classes of errors and where they gather, how far
the probabilities can be trusted, annotations that may be wrong, the worst sentences. Of two models, what one gets and
the other does not, and whether that is more than chance. Writes a folder with report.html, pictures, metrics.json,
errors.jsonl and noise.jsonl."""

EXAMPLES = """\
examples:
  allennlp analyze model.tar.gz test.conll -o report
  allennlp analyze model.tar.gz test.conll -o report --calibrate dev.conll
  allennlp analyze model.tar.gz texts.jsonl -o report --reader span_json --train train.conll
  allennlp analyze first/model.tar.gz second/model.tar.gz test.conll -o report
"""


@Subcommand.register("analyze")
class Analyze(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(
            parser, self.name, "Report what a model gets right and wrong, and how sure it was.", DESCRIPTION, EXAMPLES
        )
        add = subparser.add_argument
        add("archive_and_file", nargs="+", metavar="ARCHIVE [ARCHIVE] FILE", help="one archive or two, and a file")
        add("-o", "--output", required=True, metavar="FOLDER", help="where the report goes")
        add("--reader", metavar="NAME", help="how FILE is read (default: as the archive's validation data)")
        add(
            "--reader-params",
            default="{}",
            metavar="JSON",
            help='what the reader takes, e.g. \'{"encoding": "latin-1"}\'',
        )
        add(
            "--train", metavar="FILE", help="the training data, to tell seen names from unseen (default: the archive's)"
        )
        add("--calibrate", metavar="DEV", help="fit a temperature on this file, and write the model with it")
        add("--calibrated-archive", metavar="OUT", help="where that model goes (default: FOLDER/calibrated.tar.gz)")
        add("--cuda-device", type=int, default=-1, help="id of a GPU (default: the CPU)")
        subparser.set_defaults(func=analyze_from_args)
        return subparser


def analyze_from_args(arguments: argparse.Namespace) -> "Analysis":
    from ner_zoo.analysis.files import write_files
    from ner_zoo.analysis.report import write_report
    from ner_zoo.analysis.summary import print_summary

    check_for_gpu(arguments.cuda_device)
    folder = Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{folder} is a file. Give a folder for the report with -o.")
    if arguments.reader_params != "{}" and not arguments.reader:
        raise ConfigurationError("--reader-params are of the reader that --reader names. Give both, or neither.")
    analysis = make_analysis(arguments)
    write_files(folder, analysis)
    write_report(folder, analysis)
    print_summary(analysis, folder)
    return analysis


def make_analysis(arguments: argparse.Namespace) -> "Analysis":
    from ner_zoo.analysis.analyse import analyse
    from ner_zoo.analysis.evaluated_model import EvaluatedModel
    from ner_zoo.analysis.findings import findings
    from ner_zoo.analysis.temperature import fit_temperature
    from ner_zoo.commands.inspect import make_corpus

    archives, file = archives_and_file(arguments.archive_and_file)
    corpus = make_corpus(arguments.reader, arguments.reader_params) if arguments.reader else None
    models = [EvaluatedModel.load(archive, arguments.cuda_device, corpus) for archive in archives]
    sentences = models[0].sentences(file)
    if not sentences:
        raise ConfigurationError(f"{file} has no sentences. Is it read as it should be? Try `allennlp inspect`.")
    seen, why_unknown = models[0].seen_forms(arguments.train)
    # First what may fail because of a file, then what takes its time.
    fit = fit_temperature(models[0].model, models[0].reader.read(arguments.calibrate)) if arguments.calibrate else None
    answers = [model.answers(sentences) for model in models]
    metric = str(models[0].config.get("trainer", {}).get("validation_metric", "entity_f1"))
    other = answers[1] if len(answers) > 1 else None
    analysis = analyse(answers[0], file, seen, why_unknown, other, metric)
    if fit is not None:
        target = arguments.calibrated_archive or str(Path(arguments.output) / "calibrated.tar.gz")
        analysis.tempered = tempered(models[0], fit, arguments.calibrate, answers[0], target)
    analysis.findings = findings(analysis)
    analysis.command = command_of(arguments)
    return analysis


def archives_and_file(given: list[str]) -> tuple[list[str], str]:
    """One archive or two, then a file."""
    if not 2 <= len(given) <= 3:
        raise ConfigurationError(
            f"{len(given)} paths are given: {' '.join(given)}. Give the archive of a model, or two of them, and then "
            "the file to look at."
        )
    *archives, file = given
    if file.endswith(".tar.gz") and Path(file).is_file():
        raise ConfigurationError(f"{file} is an archive. After the archives comes the annotated file to look at.")
    return [model_path(archive) for archive in archives], file


def tempered(model: "EvaluatedModel", fit: "Fit", file: str, before: "Answers", target: str) -> "Tempered":
    """Writes the model with the temperature that was fitted to a file, and looks at the sentences again."""
    from ner_zoo.analysis.analysis import Tempered
    from ner_zoo.analysis.calibration import entity_calibration
    from ner_zoo.platform.archives import copy_archive, model_config

    model.model.temperature = fit.temperature
    made = model_config(model.config)
    config = {**model.config, "model": {**made, "temperature": fit.temperature}}
    # A model that went on from another archive has the words of that one, and after them those of its own.
    vocab = None if made is model.config["model"] else model.model.vocab
    copy_archive(model.archive, target, config, vocab)
    after = model.answers([one.sentence for one in before.each])
    changed = sum(
        set(one.entities) != set(other.entities) or set(one.relations) != set(other.relations)
        for one, other in zip(before.each, after.each)
    )
    return Tempered(fit.temperature, file, target, fit.before, fit.after, entity_calibration(after.each), changed)


def command_of(arguments: argparse.Namespace) -> str:
    """What to type for the same report again."""
    words = ["allennlp", "analyze", *arguments.archive_and_file, "-o", arguments.output]
    for name in ("reader", "train", "calibrate", "calibrated_archive"):
        value = getattr(arguments, name)
        words += [f"--{name.replace('_', '-')}", value] if value else []
    words += ["--reader-params", arguments.reader_params] if arguments.reader_params != "{}" else []
    return shlex.join(words)
