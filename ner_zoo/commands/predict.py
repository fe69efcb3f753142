"""
`allennlp predict` with `--strict`, `--light` and exactly one output line per input line.

The stock command skips blank lines, so outputs no longer align with inputs; it crashes on a line that is not valid
UTF-8; and by default it predicts one line at a time. Predictors other than `ner_zoo` keep the stock behaviour, because
their `load_line` may not expect such lines.
"""

import argparse
from typing import TYPE_CHECKING

from allennlp.commands import predict as stock
from allennlp.commands.subcommand import Subcommand
from allennlp.common import logging as common_logging
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.util import lazy_groups_of
from overrides import overrides

from ner_zoo.commands.export_predicting import (
    LINES_AT_ONCE,
    check_output,
    predict_lines,
    predict_with_export,
    write_outputs,
)
from ner_zoo.platform.pretrained import take_names

if TYPE_CHECKING:
    from ner_zoo.predictors.ner_zoo import NerZooPredictor

NOT_GIVEN = 0


@Subcommand.register("predict", exist_ok=True)
class Predict(stock.Predict):
    """AllenNLP's command plus `--strict` and `--light`."""

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
        subparser.add_argument("--light", action="store_true", help="the model is an export (see `allennlp export`)")
        subparser.set_defaults(func=_predict, batch_size=NOT_GIVEN)
        return subparser


def _predict(arguments: argparse.Namespace) -> None:
    from ner_zoo.light.export_file import is_export

    if not (arguments.light or is_export(arguments.archive_file)):
        _predict_with_archive(arguments)
        return
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
    check_output(arguments)
    predictor = stock._get_predictor(arguments)
    if isinstance(predictor, NerZooPredictor):
        predictor.strict = predictor.strict or arguments.strict
        _predict_with_ours(predictor, arguments)
        return
    if arguments.strict:
        raise ConfigurationError(
            "--strict is only supported by the predictor ner_zoo; this model uses another one. Remove --strict."
        )
    stock._PredictManager(
        predictor,
        arguments.input_file,
        arguments.output_file,
        arguments.batch_size or 1,
        not arguments.silent,
        arguments.use_dataset_reader,
        arguments.multitask_head,
    ).run()


def _predict_with_ours(predictor: "NerZooPredictor", arguments: argparse.Namespace) -> None:
    if arguments.multitask_head is not None:
        raise ConfigurationError("--multitask-head is only supported for multitask readers. Remove it.")
    path = arguments.input_file
    if arguments.use_dataset_reader:
        batches = lazy_groups_of(predictor._dataset_reader.read(path), arguments.batch_size or LINES_AT_ONCE)
        write_outputs((one for batch in batches for one in predictor.predict_batch_instance(batch)), arguments)
    else:
        predict_lines(predictor, path if path == "-" else str(cached_path(path)), arguments)
