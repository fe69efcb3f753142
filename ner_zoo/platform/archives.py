"""
A model archive from a stranger is safe to open, and a broken one says what is wrong with it.

AllenNLP unpacks whatever a tar file holds, wherever its names and links point; it evaluates `config.json` as a program
that may read other files; a `type` with a dot in it may name any class of any installed package, which is then called
with the arguments of the config; and with `trust_remote_code` transformers runs what it finds beside a pretrained
model. Here

- only plain files and folders are unpacked, and only below the folder meant for them;
- `config.json` must be JSON, and may not trust remote code;
- a class given by its full name must be of the kind that is asked for;
- weights are loaded as nothing but weights, whatever the environment says.
"""

import contextlib
import json
import logging
import os
import pickle
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from errno import EINVAL
from pathlib import Path, PurePosixPath
from typing import Any, Union

from allennlp.common.checks import ConfigurationError, check_for_gpu
from allennlp.common.file_utils import cached_path
from allennlp.data import Vocabulary
from allennlp.models import archival

from ner_zoo.platform.atomic_files import replacing
from ner_zoo.platform.pretrained import no_such_archive

logger = logging.getLogger(__name__)

FilePath = Union[str, "os.PathLike[str]"]

UNREADABLE = (tarfile.TarError, EOFError, zlib.error, OSError)
COPY_AGAIN = "Copy or download the archive again, or make it again with `allennlp train`."


def unpack(archive_file: FilePath, folder: Path) -> None:
    """Unpacks the plain files of a .tar.gz below `folder`; refuses an archive that holds anything else."""
    try:
        with tarfile.open(archive_file, "r:gz") as archive:
            for member in archive:
                unpack_member(archive, member, folder, archive_file)
            # The checksum comes last, after what tar takes for the end.
            while archive.fileobj.read(1 << 20):  # type: ignore[union-attr]
                pass
    except UNREADABLE as error:
        raise ConfigurationError(
            f"The archive {archive_file} is not a whole .tar.gz file: {error}. {COPY_AGAIN}"
        ) from error


def unpack_member(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, archive_file: FilePath) -> None:
    name = PurePosixPath(member.name)
    is_plain = member.isdir() or member.isreg()
    if not is_plain or name.is_absolute() or ".." in name.parts:
        raise ConfigurationError(
            f"The archive {archive_file} is refused: its member {member.name!r} is "
            f"{'outside of it' if is_plain else 'a link or a device'}, but a model archive holds plain files below one "
            "folder. Do not use it unless you know who made it; if you did, pack it again with `tar --dereference`."
        )
    target = folder / name
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    content = archive.extractfile(member)
    assert content is not None
    with open(target, "wb") as file:
        shutil.copyfileobj(content, file)


def check_contents(folder: Path, archive_file: FilePath, has_weights: bool = False) -> None:
    """Refuses a folder that is no whole model, or the config of which could do more than describe one."""
    weights = (archival._WEIGHTS_NAME, archival._DEFAULT_WEIGHTS)
    missing = [name for name in (archival.CONFIG_NAME, "vocabulary") if not (folder / name).exists()]
    if not has_weights and not any((folder / name).exists() for name in weights):
        missing.append(weights[0])
    if missing:
        raise ConfigurationError(f"The archive {archive_file} has no {' and no '.join(missing)}. {COPY_AGAIN}")
    try:
        config = json.loads((folder / archival.CONFIG_NAME).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigurationError(
            f"In the archive {archive_file} config.json is not JSON: {error}. {COPY_AGAIN}"
        ) from error
    place = place_of_trust(config)
    if place is not None:
        raise ConfigurationError(
            f"The archive {archive_file} is refused: its config.json trusts remote code at {place}, so that opening it "
            "would run code from the network. Remove the key if you do not need it."
        )


def holds_only_weights(folder: Path) -> bool:
    """As an archive may that is for AllenNLP's initializer `pretrained`."""
    return {file.name for file in folder.iterdir()} in ({archival._WEIGHTS_NAME}, {archival._DEFAULT_WEIGHTS})


def place_of_trust(config: Any, place: str = "") -> str | None:
    """The path of a key by which a config asks to run code that comes with a pretrained model."""
    items = config.items() if isinstance(config, dict) else enumerate(config) if isinstance(config, list) else ()
    for key, value in items:
        here = f"{place}.{key}".lstrip(".")
        found = here if key == "trust_remote_code" and value else place_of_trust(value, here)
        if found is not None:
            return found
    return None


@contextlib.contextmanager
def extracted_archive(resolved_archive_file: FilePath, cleanup: bool = True) -> Iterator[str]:
    """In the place of AllenNLP's function of this name."""
    folder = tempfile.mkdtemp()
    keep = False
    try:
        logger.info("extracting archive file %s to temp dir %s", resolved_archive_file, folder)
        unpack(resolved_archive_file, Path(folder))
        if not holds_only_weights(Path(folder)):
            check_contents(Path(folder), resolved_archive_file)
        keep = not cleanup
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def weights_only() -> Iterator[None]:
    """
    Torch loads nothing but weights in here, also where the environment allows it more. One within another, as where a
    model goes on from another archive, changes nothing.
    """
    names = ("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "TORCH_FORCE_WEIGHTS_ONLY_LOAD")
    before = {name: os.environ.pop(name, None) for name in names}
    os.environ[names[1]] = "1"
    try:
        yield
    finally:
        del os.environ[names[1]]
        os.environ.update({name: value for name, value in before.items() if value is not None})


@contextlib.contextmanager
def named_errors(archive_file: FilePath) -> Iterator[None]:
    """Turns what torch raises for weights that are none, or not these, into one sentence about the archive."""
    try:
        yield
    except (pickle.UnpicklingError, EOFError, OSError, RuntimeError) as error:
        reason = (str(error).splitlines() or ["it ends too early"])[0]
        if isinstance(error, pickle.UnpicklingError):
            problem = f"are refused, as they hold more than weights, which could run code: {reason}. {COPY_AGAIN}"
        elif isinstance(error, EOFError) or "PytorchStreamReader" in reason or getattr(error, "errno", None) == EINVAL:
            problem = f"cannot be read: {reason}. {COPY_AGAIN}"
        elif "loading state" in reason:
            problem = f"do not fit the model in its config.json, or this version of its code: {error}."
        else:
            raise
        raise ConfigurationError(f"The weights in {archive_file} {problem}") from error


def archive_config(archive_file: FilePath) -> dict[str, Any]:
    """The config of an archive, or of the folder of a run, that could be opened."""
    path = Path(cached_path(archive_file))
    if path.is_dir():
        return json.loads((path / archival.CONFIG_NAME).read_text(encoding="utf-8"))
    with tarfile.open(path, "r:gz") as archive:
        member = next(one for one in archive if PurePosixPath(one.name) == PurePosixPath(archival.CONFIG_NAME))
        content = archive.extractfile(member)
        assert content is not None
        return json.load(content)


def model_config(config: dict[str, Any]) -> dict[str, Any]:
    """How the model of a config is made; if it goes on from another archive, as it was made for that one."""
    model = config["model"]
    while model["type"] == "from_archive":
        model = archive_config(model["archive_file"])["model"]
    return model


def copy_archive(
    archive_file: FilePath, target: FilePath, config: dict[str, Any], vocab: Vocabulary | None = None
) -> None:
    """
    Writes an archive with the same weights and another config, and another vocabulary if one is given. Of a run's
    folder, the archive of its end.
    """
    source = Path(cached_path(archive_file))
    if source.is_dir():
        source = source / "model.tar.gz"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(source, folder)
        check_contents(folder, archive_file)
        (folder / archival.CONFIG_NAME).write_text(json.dumps(config, indent=2), encoding="utf-8")
        if vocab is not None:
            shutil.rmtree(folder / "vocabulary")
            vocab.save_to_files(str(folder / "vocabulary"))
        with replacing(target) as unfinished, tarfile.open(unfinished, "w:gz", compresslevel=6) as archive:
            for file in sorted(folder.iterdir()):
                archive.add(file, arcname=file.name)


def load_archive(
    archive_file: FilePath,
    cuda_device: int = -1,
    overrides: str | dict[str, Any] = "",
    weights_file: str | None = None,
) -> archival.Archive:
    """In the place of AllenNLP's function of this name."""
    check_for_gpu(cuda_device)
    try:
        resolved = cached_path(archive_file)
    except FileNotFoundError as error:
        raise ConfigurationError(no_such_archive(archive_file)) from error
    if os.path.isdir(resolved):
        check_contents(Path(resolved), archive_file, has_weights=weights_file is not None)
    with weights_only(), named_errors(archive_file):
        return archival.load_archive.__wrapped__(archive_file, cuda_device, overrides, weights_file)
