"""What is wrong with an archive that cannot be opened, in one sentence with its name."""

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
    """Turns whatever goes wrong with an archive into one sentence about it."""
    try:
        yield
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(f"{problem(error, archive_file)}") from error


def problem(error: Exception, archive_file: FilePath) -> str:
    reason = (str(error).splitlines() or ["it ends too early"])[0]
    weights = f"The weights in {archive_file}"
    if isinstance(error, pickle.UnpicklingError):
        return f"{weights} are refused, as they hold more than weights, which could run code: {reason}. {COPY_AGAIN}"
    if isinstance(error, EOFError) or "PytorchStreamReader" in reason or getattr(error, "errno", None) == EINVAL:
        return f"{weights} cannot be read: {reason}. {COPY_AGAIN}"
    if isinstance(error, RuntimeError) and "loading state" in reason:
        return f"{weights} do not fit the model in its config.json, or this version of its code: {error}."
    return f"The archive {archive_file} cannot be opened: {type(error).__name__}: {reason}. {COPY_AGAIN}"


def check_packing(weights: FilePath, archive_file: FilePath) -> None:
    """torch packs weights into a zip file without compressing them; anything else could fill the memory."""
    if not zipfile.is_zipfile(weights):
        return  # as old versions wrote them, or broken, which torch reports
    with zipfile.ZipFile(weights) as packed:
        members = packed.infolist()
    is_compressed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
    if is_compressed or sum(member.file_size for member in members) > os.path.getsize(weights):
        raise refusal(archive_file, "its weights are compressed, or share their bytes")


def check_weights(model: Model, archive_file: FilePath) -> None:
    """Refuses weights with which every answer would be nonsense."""
    # Buffers may forbid a label with minus infinity.
    checked = [(name, weight, torch.isfinite) for name, weight in model.named_parameters()]
    checked += [(name, weight, lambda numbers: ~torch.isnan(numbers)) for name, weight in model.named_buffers()]
    for name, weight, is_good in checked:
        if weight.is_floating_point() and not is_good(weight).all():
            raise ConfigurationError(
                f"The weights in {archive_file} are refused: {name} holds numbers that are infinite or NaN. Its "
                "training has diverged, or the file was changed. Train it again, with a lower learning rate say."
            )
