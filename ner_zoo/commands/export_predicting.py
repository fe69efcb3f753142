"""
`allennlp predict model.ner INPUT`: like `predict` with an archive, for an exported model, which needs neither torch nor
AllenNLP.
"""

import argparse
import bz2
import gzip
import io
import json
import lzma
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import IO, Any

from ner_zoo.commands.explained import explained
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.output_path import refuse_input_as_output
from ner_zoo.platform.pretrained import model_path
from ner_zoo.predictors.line import Line, read_lines, with_fields, write_line
from ner_zoo.predictors.text_predictor import TextPredictor

DESCRIPTION = """\
Predict every line of a file, JSON or plain text, with an exported model. Prints one line of JSON per input line."""

EXAMPLES = """\
examples:
  allennlp predict model.ner texts.jsonl
  echo 'Ada Lovelace lived in London.' | allennlp predict model.ner -
  allennlp predict model.ner texts.txt.gz --output-file found.jsonl --silent
"""
# Lines that the predictor sorts into batches. The size of a batch for the model is the predictor's
# `max_tokens_per_batch`.
LINES_AT_ONCE = 512
OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".lzma": lzma.open}


def add_export_predict(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """The subcommand `predict`, with the options that make sense for an export."""
    subparser = explained(parser, "predict", "Predict every line of a file.", DESCRIPTION, EXAMPLES)
    add = subparser.add_argument
    add("archive_file", type=model_path, help="an exported model")
    add("input_file", help=".jsonl or .txt, optionally gzipped, or - for standard input")
    add("--output-file", help="also write the output to this file")
    add("--light", action="store_true", help="the model is an export (implied if AllenNLP is not installed)")
    add("--batch-size", type=int, default=0, help="number of lines to sort into batches at once (default: 512)")
    add("--silent", action="store_true", help="print nothing")
    add("--predictor-args", default="", metavar="JSON", help="e.g. '{\"threshold\": 0.5}'")
    add("--strict", action="store_true", help="stop at the first input that cannot be used")
    subparser.set_defaults(func=predict_with_export)
    return subparser


def predict_with_export(arguments: argparse.Namespace) -> None:
    from ner_zoo.light.predictor import load_predictor

    check_output(arguments)
    check_input(arguments.input_file)
    options = json.loads(arguments.predictor_args or "{}")
    predictor = load_predictor(arguments.archive_file, {**options, "strict": arguments.strict})
    predict_lines(predictor, arguments.input_file, arguments)


def check_output(arguments: argparse.Namespace) -> None:
    if arguments.silent and not arguments.output_file:
        raise ConfigurationError(
            "--silent without --output-file produces no output. Remove --silent or add --output-file."
        )
    if arguments.output_file:
        refuse_input_as_output(arguments.output_file, [arguments.input_file, arguments.archive_file], "--output-file")


def predict_lines(predictor: TextPredictor, path: str, arguments: argparse.Namespace) -> None:
    """Writes one output for each line of a file, with the input's own fields kept."""
    with opened(path) as file:
        parts = parts_of(read_lines(file), arguments.batch_size or LINES_AT_ONCE)
        pairs = (pair for given in parts for pair in zip(given, predictor.predict_all(given)))
        write_outputs((with_fields(*pair) for pair in pairs), arguments)


def write_outputs(outputs: Iterable[dict[str, Any]], arguments: argparse.Namespace) -> None:
    """Writes outputs as lines of JSON, in UTF-8, to the screen and to a file, as requested."""
    with ExitStack() as opened_files:
        files: list[Any] = []
        if not arguments.silent:
            if isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(encoding="utf-8")
            files.append(sys.stdout)
        if arguments.output_file:
            files.append(opened_files.enter_context(open(arguments.output_file, "w", encoding="utf-8")))
        for output in outputs:
            line = write_line(output)
            for file in files:
                file.write(line)


def opened(path: str) -> IO[bytes]:
    if path == "-":
        return sys.stdin.buffer
    opener = next((one for ending, one in OPENERS.items() if path.endswith(ending)), open)
    return opener(path, "rb")


def check_input(path: str) -> None:
    if path != "-" and not os.path.isfile(path):
        problem = f"{path} is a folder" if os.path.isdir(path) else f"There is no file {path}"
        raise ConfigurationError(f"{problem}. Pass a file of JSON lines or plain text, or - for standard input.")


def parts_of(lines: Iterator[Line], size: int) -> Iterator[list[Line]]:
    while part := list(islice(lines, size)):
        yield part
