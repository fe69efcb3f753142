"""
`allennlp predict` with `--strict`, and with one output for every line of the input.

The stock command leaves blank lines out, so that outputs no longer stand beside their inputs, dies at a line that is
not UTF-8, and predicts one line at a time by default. All of this is still so for predictors other than
`ner_zoo`, whose `load_line` may not expect such lines.
"""

import argparse
import io
import sys
from collections.abc import Iterator

from allennlp.commands import predict as stock
from allennlp.commands.subcommand import Subcommand
from allennlp.common import logging as common_logging
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path, open_compressed
from allennlp.common.util import JsonDict
from overrides import overrides

from ner_zoo.platform.pretrained import take_names
from ner_zoo.predictors.line import read_lines, with_fields

NOT_GIVEN = 0
# Lines that the predictor sorts into batches; what goes through the model at once is its `max_tokens_per_batch`.
LINES_AT_ONCE = 512


@Subcommand.register("predict", exist_ok=True)
class Predict(stock.Predict):
    """As in AllenNLP, and `--strict`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = super().add_subparser(parser)
        take_names(subparser)
        subparser.add_argument(
            "--strict",
            action="store_true",
            help="stop at the first input that cannot be used, instead of writing what is wrong with it in its place "
            "(predictor ner_zoo)",
        )
        subparser.set_defaults(func=_predict, batch_size=NOT_GIVEN)
        return subparser


class PredictManager(stock._PredictManager):
    """Reads a file's lines as they are, and writes UTF-8 wherever it runs."""

    @overrides
    def _get_json_data(self) -> Iterator[JsonDict]:
        if self._input_file == "-":
            yield from read_lines(sys.stdin.buffer)
        else:
            with open_compressed(cached_path(self._input_file), mode="rb", encoding=None) as file:
                yield from read_lines(file)

    @overrides
    def _predict_json(self, batch_data: list[JsonDict]) -> Iterator[str]:
        """One line for each input, with the fields that are the input's own."""
        for given, output in zip(batch_data, self._predictor.predict_batch_json(batch_data)):
            yield self._predictor.dump_line(with_fields(given, output))

    @overrides
    def _maybe_print_to_console_and_file(self, index: int, prediction: str, model_input: str | None = None) -> None:
        """The line and nothing else."""
        if self._print_to_console:
            sys.stdout.write(prediction)
        if self._output_file is not None:
            self._output_file.write(prediction)

    @overrides
    def run(self) -> None:
        if self._output_file is not None:
            self._output_file.reconfigure(encoding="utf-8")  # type: ignore[attr-defined]
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        super().run()


def _predict(arguments: argparse.Namespace) -> None:
    from ner_zoo.predictors.ner_zoo import NerZooPredictor

    common_logging.FILE_FRIENDLY_LOGGING = arguments.file_friendly_logging
    if arguments.silent and not arguments.output_file:
        raise ConfigurationError(
            "--silent without --output-file makes no output at all. Leave one out or give the other."
        )
    predictor = stock._get_predictor(arguments)
    is_ours = isinstance(predictor, NerZooPredictor)
    if arguments.strict:
        if not is_ours:
            raise ConfigurationError("--strict is known to the predictor ner_zoo only; this model has another one.")
        predictor.strict = True
    manager = (PredictManager if is_ours else stock._PredictManager)(
        predictor,
        arguments.input_file,
        arguments.output_file,
        arguments.batch_size or (LINES_AT_ONCE if is_ours else 1),
        not arguments.silent,
        arguments.use_dataset_reader,
        arguments.multitask_head,
    )
    manager.run()
