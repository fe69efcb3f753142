"""
The arguments that tell commands how to read a corpus.
"""

import argparse
import json
from typing import cast

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.data import corpora  # noqa: F401  registers every corpus
from ner_zoo.data.corpora.corpus import Corpus

AUTO = "auto"


def add_reader_arguments(parser: argparse.ArgumentParser) -> None:
    """`--reader` and `--reader-params`."""
    names = ", ".join(sorted(Corpus.list_available()))
    parser.add_argument(
        "--reader", default=AUTO, metavar="NAME", help=f"the format (default: recognised automatically): {names}"
    )
    parser.add_argument(
        "--reader-params",
        default="{}",
        metavar="JSON",
        help='what the corpus takes, as in a config\'s dataset_reader, e.g. \'{"encoding": "latin-1"}\'',
    )


def parsed(argument: str, text: str) -> Params:
    """The JSON object given for an argument."""
    try:
        params = json.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"{argument} is not JSON ({error}): {text!r}.") from error
    if not isinstance(params, dict):
        raise ConfigurationError(f"{argument} must be a JSON object such as {{}}, but is {text!r}.")
    return Params(params)


def make_corpus(name: str, reader_params: str) -> Corpus:
    """The corpus of that name with its arguments as JSON."""
    return cast(type[Corpus], Corpus.by_name(name)).from_params(parsed("--reader-params", reader_params))
