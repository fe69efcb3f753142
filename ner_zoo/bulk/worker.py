"""
The work of each worker: takes rows, and returns one line of JSON per row, in order, whatever the rows contain.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ner_zoo.bulk.fingerprint import fingerprint
from ner_zoo.bulk.sources import Chunk
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.document_text import SPACED
from ner_zoo.predictors.line import read_line, with_fields, write_line
from ner_zoo.predictors.options import Options
from ner_zoo.predictors.text_predictor import TextPredictor


class Annotated(NamedTuple):
    """
    The rows of a chunk as lines of JSON, and the numbers of words and of errors.

    first : index of its first row in the source.
    """

    number: int
    lines: list[bytes]
    words: int
    errors: int
    share: float
    first: int


@dataclass(frozen=True)
class WorkerSettings:
    """
    Everything needed to create a worker anywhere: an archive, a device, and the predictor's arguments.

    model : fingerprint of the archive; a worker refuses any other archive.
    packages : packages whose parts the archive may name, from the user's --include-package.
    light : whether the archive is an exported model, to be run without torch.
    """

    archive: str
    cuda_device: int
    predictor_args: dict[str, Any]
    threads: int = 1
    model: str = ""
    packages: tuple[str, ...] = ()
    light: bool = False


class Worker:
    """A worker with a loaded model."""

    def __init__(self, settings: WorkerSettings) -> None:
        self.predictor = predictor_of(settings)
        if settings.model and fingerprint(settings.archive) != settings.model:
            raise ConfigurationError(
                f"{settings.archive} was replaced by another model during the run. Restore the original and run the "
                f"same command again, or pass --overwrite to start over."
            )

    def __call__(self, chunk: Chunk) -> Annotated:
        given = [read_line(row, chunk.first + place) for place, row in enumerate(chunk.rows, start=1)]
        options = self.predictor.options
        outputs = self.predictor.documents(given, [options] * len(given))
        lines = [written(*pair, options) for pair in zip(given, outputs)]
        found = [output for output in outputs if isinstance(output, Document)]
        words = sum(len(sentence.tokens) for document in found for sentence in document.sentences)
        return Annotated(chunk.number, lines, words, len(outputs) - len(found), chunk.share, chunk.first)


def written(given: Any, output: Document | dict[str, Any], options: Options) -> bytes:
    """The output line of an input: its own fields, and its prediction or error."""
    if isinstance(output, Document):
        return SPACED.document(output, with_fields(given, output.without_tokens(options))) + b"\n"
    return write_line(with_fields(given, output)).encode("utf-8")


def predictor_of(settings: WorkerSettings) -> TextPredictor:
    """Loads the predictor described by the settings, in torch or without it."""
    if settings.light:
        from ner_zoo.light.predictor import load_predictor as load_export

        return load_export(settings.archive, settings.predictor_args, settings.threads)
    import torch
    from allennlp.common.util import import_module_and_submodules

    from ner_zoo.platform.archive_allowlist import allow_package
    from ner_zoo.predictors.loading import load_predictor

    for package in settings.packages:
        allow_package(package)
        import_module_and_submodules(package)
    torch.set_num_threads(settings.threads)
    return load_predictor(settings.archive, settings.cuda_device, settings.predictor_args)


def nothing(chunk: Chunk) -> Annotated:
    """The result of an empty chunk."""
    return Annotated(chunk.number, [], 0, 0, chunk.share, chunk.first)


def broken(chunk: Chunk, reason: str) -> Annotated:
    """The error record for a chunk of one row that no worker survived."""
    (row,) = chunk.rows
    record = with_fields(read_line(row, chunk.first + 1), {"error": reason, "line": chunk.first + 1})
    return Annotated(chunk.number, [write_line(record).encode("utf-8")], 0, 1, chunk.share, chunk.first)


def joined(first: Annotated, second: Annotated) -> Annotated:
    """Joins the halves of a chunk."""
    return Annotated(
        first.number,
        first.lines + second.lines,
        first.words + second.words,
        first.errors + second.errors,
        second.share,
        first.first,
    )
