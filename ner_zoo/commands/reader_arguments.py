"""
Command-line arguments that select a corpus reader.
"""

import argparse
import json
from typing import cast

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.corpus import Corpus

AUTO = "auto"


def add_reader_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `--reader` and `--reader-params`."""
    names = ", ".join(sorted(Corpus.list_available()))
    parser.add_argument(
        "--reader", default=AUTO, metavar="NAME", help=f"format of the file (default: detected automatically): {names}"
    )
    parser.add_argument(
        "--reader-params",
        default="{}",
        metavar="JSON",
        help='reader options as in a config\'s dataset_reader, e.g. \'{"encoding": "latin-1"}\'',
    )


def parsed(argument: str, text: str) -> Params:
    """Parses an argument that must be a JSON object."""
    try:
        params = json.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"{argument} is not JSON ({error}): {text!r}.") from error
    if not isinstance(params, dict):
        raise ConfigurationError(f"{argument} must be a JSON object such as {{}}, but got {text!r}.")
    return Params(params)


def make_corpus(name: str, reader_params: str) -> Corpus:
    """Builds the named corpus from its options as JSON."""
    return cast(type[Corpus], Corpus.by_name(name)).from_params(parsed("--reader-params", reader_params))
