"""Explains in one sentence why an archive cannot be opened."""

import contextlib
import os
import pickle
import zipfile
from collections.abc import Iterator
from errno import EINVAL

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from ner_zoo.platform.archive_unpacking import COPY_AGAIN, FilePath, refusal


@contextlib.contextmanager
def named_errors(archive_file: FilePath) -> Iterator[None]:
    """Turns any error about an archive into one sentence with its name."""
    try:
        yield
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(f"{problem(error, archive_file)}") from error


def problem(error: Exception, archive_file: FilePath) -> str:
    reason = (str(error).splitlines() or ["it is truncated"])[0]
    weights = f"The weights in {archive_file}"
    if isinstance(error, pickle.UnpicklingError):
        return f"{weights} are refused because they contain objects that could run code: {reason}. {COPY_AGAIN}"
    if isinstance(error, EOFError) or "PytorchStreamReader" in reason or getattr(error, "errno", None) == EINVAL:
        return f"{weights} cannot be read: {reason}. {COPY_AGAIN}"
    if isinstance(error, RuntimeError) and "loading state" in reason:
        return f"{weights} do not match the model in its config.json, or this version of its code: {error}."
    return f"The archive {archive_file} cannot be opened: {type(error).__name__}: {reason}. {COPY_AGAIN}"


def check_packing(weights: FilePath, archive_file: FilePath) -> None:
    """Checks for zip bombs: torch stores weights in a zip file without compression."""
    if not zipfile.is_zipfile(weights):
        return  # written by an old version, or broken: torch reports that
    with zipfile.ZipFile(weights) as packed:
        members = packed.infolist()
    is_compressed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
    if is_compressed or sum(member.file_size for member in members) > os.path.getsize(weights):
        raise refusal(archive_file, "its weights are compressed or overlap")


def check_weights(model: Model, archive_file: FilePath) -> None:
    """Refuses weights that are not finite, because every prediction would be meaningless."""
    # Buffers may contain minus infinity to forbid a label.
    checked = [(name, weight, torch.isfinite) for name, weight in model.named_parameters()]
    checked += [(name, weight, lambda numbers: ~torch.isnan(numbers)) for name, weight in model.named_buffers()]
    for name, weight, is_good in checked:
        if weight.is_floating_point() and not is_good(weight).all():
            raise ConfigurationError(
                f"The weights in {archive_file} are refused: {name} contains infinite or NaN values. Training "
                f"diverged, or the file was changed. Train the model again, for example with a lower learning rate."
            )
