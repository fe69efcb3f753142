"""
`allennlp analyze model.tar.gz FILE -o report/`: report a model's scores, errors and confidence on an annotated file.
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
Evaluate a model on an annotated file and write a report: scores per type, classes of errors and where they occur,
calibration of the probabilities, possible annotation errors, and the worst sentences. With two models, the report also
compares them and tests whether the difference is statistically significant. Writes a folder with report.html, pictures,
metrics.json, errors.jsonl and noise.jsonl."""

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
            parser, self.name, "Report a model's scores, errors and calibration.", DESCRIPTION, EXAMPLES
        )
        add = subparser.add_argument
        add(
            "archive_and_file",
            nargs="+",
            metavar="ARCHIVE [ARCHIVE] FILE",
            help="one or two archives, followed by an annotated file",
        )
        add("-o", "--output", required=True, metavar="FOLDER", help="folder to write the report to")
        add("--reader", metavar="NAME", help="dataset reader for FILE (default: the archive's validation reader)")
        add(
            "--reader-params",
            default="{}",
            metavar="JSON",
            help='reader options as JSON, e.g. \'{"encoding": "latin-1"}\'',
        )
        add(
            "--train", metavar="FILE", help="training data, to separate seen from unseen names (default: the archive's)"
        )
        add("--calibrate", metavar="DEV", help="fit a temperature on this file and save the calibrated model")
        add(
            "--calibrated-archive",
            metavar="OUT",
            help="where to save the calibrated model (default: FOLDER/calibrated.tar.gz)",
        )
        add("--cuda-device", type=int, default=-1, help="GPU id (default: CPU)")
        subparser.set_defaults(func=analyze_from_args)
        return subparser


def analyze_from_args(arguments: argparse.Namespace) -> "Analysis":
    from ner_zoo.analysis.files import write_files
    from ner_zoo.analysis.report import write_report
    from ner_zoo.analysis.summary import summary

    check_for_gpu(arguments.cuda_device)
    folder = Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{folder} is a file. Pass a folder with -o.")
    if arguments.reader_params != "{}" and not arguments.reader:
        raise ConfigurationError("--reader-params requires --reader. Pass both or neither.")
    analysis = make_analysis(arguments)
    write_files(folder, analysis)
    write_report(folder, analysis)
    print(summary(analysis, folder))
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
        raise ConfigurationError(f"{file} contains no sentences. Check how it is read with `allennlp inspect`.")
    seen, why_unknown = models[0].seen_forms(arguments.train)
    # Check everything that can fail because of a file before the expensive work.
    dev = arguments.calibrate
    fit = fit_temperature(models[0].forward, models[0].sentences(dev)) if dev else None
    answers = [model.answers(sentences) for model in models]
    metric = str(models[0].config.get("trainer", {}).get("validation_metric", "entity_f1"))
    other = answers[1] if len(answers) > 1 else None
    analysis = analyse(answers[0], file, seen, why_unknown, other, metric)
    if fit is not None:
        target = arguments.calibrated_archive or str(Path(arguments.output) / "calibrated.tar.gz")
        analysis.tempered = tempered(models[0], fit, dev, answers[0], target)
    analysis.findings = findings(analysis)
    analysis.command = command_of(arguments)
    return analysis


def archives_and_file(given: list[str]) -> tuple[list[str], str]:
    """Splits the positional arguments into one or two archives and the file."""
    if not 2 <= len(given) <= 3:
        raise ConfigurationError(
            f"Got {len(given)} paths: {' '.join(given)}. Pass one or two model archives, followed by the annotated "
            f"file."
        )
    *archives, file = given
    if file.endswith(".tar.gz") and Path(file).is_file():
        raise ConfigurationError(f"{file} is an archive. Pass the annotated file after the archives.")
    return [model_path(archive) for archive in archives], file


def tempered(model: "EvaluatedModel", fit: "Fit", file: str, before: "Answers", target: str) -> "Tempered":
    """Saves the model with the temperature fitted on a file, and evaluates it on the sentences again."""
    from ner_zoo.analysis.analysis import Tempered
    from ner_zoo.analysis.calibration import entity_calibration
    from ner_zoo.platform.archives import copy_archive, model_config

    model.model.temperature = fit.temperature
    made = model_config(model.config)
    config = {**model.config, "model": {**made, "temperature": fit.temperature}}
    # A model initialised from another archive has that archive's vocabulary, extended with its own words.
    vocab = None if made is model.config["model"] else model.model.vocab
    copy_archive(model.archive, target, config, vocab)
    after = model.answers([one.sentence for one in before.each])
    changed = sum(
        set(one.entities) != set(other.entities) or set(one.relations) != set(other.relations)
        for one, other in zip(before.each, after.each)
    )
    return Tempered(fit.temperature, file, target, fit.before, fit.after, entity_calibration(after.each), changed)


def command_of(arguments: argparse.Namespace) -> str:
    """The command line that reproduces this report."""
    words = ["allennlp", "analyze", *arguments.archive_and_file, "-o", arguments.output]
    for name in ("reader", "train", "calibrate", "calibrated_archive"):
        value = getattr(arguments, name)
        words += [f"--{name.replace('_', '-')}", value] if value else []
    words += ["--reader-params", arguments.reader_params] if arguments.reader_params != "{}" else []
    return shlex.join(words)
