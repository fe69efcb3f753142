"""
`allennlp predict` with `--strict` and exactly one output line per input line.

The stock command skips blank lines, so outputs no longer align with inputs; it crashes on a line that is not valid
UTF-8; and by default it predicts one line at a time. Predictors other than `ner_zoo` keep the stock behaviour, because
their `load_line` may not expect such lines.
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

from ner_zoo.commands.export_predicting import LINES_AT_ONCE, predict_with_export
from ner_zoo.platform.pretrained import take_names
from ner_zoo.predictors.line import read_lines, with_fields

NOT_GIVEN = 0


@Subcommand.register("predict", exist_ok=True)
class Predict(stock.Predict):
    """AllenNLP's command plus `--strict`."""

    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = super().add_subparser(parser)
        take_names(subparser)
        subparser.add_argument(
            "--strict",
            action="store_true",
            help="stop at the first input that cannot be used instead of writing an error in its place (predictor "
            "ner_zoo only)",
        )
        subparser.set_defaults(func=_predict, batch_size=NOT_GIVEN)
        return subparser


class PredictManager(stock._PredictManager):
    """Reads the lines of a file unchanged, and always writes UTF-8."""

    @overrides
    def _get_json_data(self) -> Iterator[JsonDict]:
        if self._input_file == "-":
            yield from read_lines(sys.stdin.buffer)
        else:
            with open_compressed(cached_path(self._input_file), mode="rb", encoding=None) as file:
                yield from read_lines(file)

    @overrides
    def _predict_json(self, batch_data: list[JsonDict]) -> Iterator[str]:
        """Yields one line per input, with the input's own fields kept."""
        for given, output in zip(batch_data, self._predictor.predict_batch_json(batch_data)):
            yield self._predictor.dump_line(with_fields(given, output))

    @overrides
    def _maybe_print_to_console_and_file(self, index: int, prediction: str, model_input: str | None = None) -> None:
        """The line without a header."""
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
    from ner_zoo.light.export_file import is_export

    if is_export(arguments.archive_file):
        _predict_with_export(arguments)
    else:
        _predict_with_archive(arguments)


def _predict_with_export(arguments: argparse.Namespace) -> None:
    for option in ("use_dataset_reader", "weights_file", "overrides", "dataset_reader_choice"):
        if getattr(arguments, option) not in (None, "", False, "validation"):
            raise ConfigurationError(
                f"--{option.replace('_', '-')} is only supported for archives, but {arguments.archive_file} is an "
                f"export. Remove it."
            )
    predict_with_export(arguments)


def _predict_with_archive(arguments: argparse.Namespace) -> None:
    from ner_zoo.predictors.ner_zoo import NerZooPredictor

    common_logging.FILE_FRIENDLY_LOGGING = arguments.file_friendly_logging
    if arguments.silent and not arguments.output_file:
        raise ConfigurationError(
            "--silent without --output-file produces no output. Remove --silent or add --output-file."
        )
    predictor = stock._get_predictor(arguments)
    is_ours = isinstance(predictor, NerZooPredictor)
    if arguments.strict:
        if not is_ours:
            raise ConfigurationError(
                "--strict is only supported by the predictor ner_zoo; this model uses another one. Remove --strict."
            )
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
