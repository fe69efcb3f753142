"""
Opens model archives safely, even from an untrusted source, and explains what is wrong with a broken one.

AllenNLP unpacks anything in a tar file, evaluates `config.json` as a program, and builds any class of any package that
it names. Here an archive is

    unpacked within limits            archive_unpacking
    read as JSON, and refused if it refers to anything outside itself     archive_reach, archive_origin
    built from registered parts only  archive_allowlist
    audited while that happens        archive_audit
    refused with a reason if its weights or anything else is broken     archive_problems

These checks apply only while `archive_guard` says that an archive is open. SECURITY.md describes the trust model.
"""

import contextlib
import json
import logging
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError, check_for_gpu
from allennlp.common.file_utils import cached_path
from allennlp.common.meta import META_NAME, Meta
from allennlp.data import Vocabulary
from allennlp.models import archival

from ner_zoo.platform import archive_audit, archive_guard, archive_origin
from ner_zoo.platform.archive_guard import MAX_DEPTH, Guard
from ner_zoo.platform.archive_opening import COMPRESSION
from ner_zoo.platform.archive_params import ArchiveParams
from ner_zoo.platform.archive_problems import check_packing, check_weights, named_errors
from ner_zoo.platform.archive_reach import BUILT, check_reach, texts
from ner_zoo.platform.archive_unpacking import COPY_AGAIN, UNREADABLE, FilePath, files, refusal, unpack, unreadable
from ner_zoo.platform.atomic_files import replacing
from ner_zoo.platform.pretrained import no_such_archive

logger = logging.getLogger(__name__)

MAX_CONFIG_BYTES = 1 << 24


def check_contents(folder: Path, archive_file: FilePath, has_weights: bool = False) -> None:
    """Refuses a folder that is not a complete model."""
    weights = (archival._WEIGHTS_NAME, archival._DEFAULT_WEIGHTS)
    missing = [name for name in (archival.CONFIG_NAME, "vocabulary") if not (folder / name).exists()]
    if not has_weights and not any((folder / name).exists() for name in weights):
        missing.append(weights[0])
    if missing:
        raise ConfigurationError(f"The archive {archive_file} has no {' and no '.join(missing)}. {COPY_AGAIN}")
    read_config(folder, archive_file)


def read_config(folder: Path, archive_file: FilePath) -> dict[str, Any]:
    """Reads the config as JSON, never as a program."""
    with open(folder / archival.CONFIG_NAME, "rb") as file:
        return parsed_config(file.read(MAX_CONFIG_BYTES + 1), archive_file)


def parsed_config(content: bytes, archive_file: FilePath) -> dict[str, Any]:
    if len(content) > MAX_CONFIG_BYTES:
        raise refusal(archive_file, f"its {archival.CONFIG_NAME} is larger than {MAX_CONFIG_BYTES:,} bytes")
    try:
        config = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"config.json in the archive {archive_file} is not valid JSON: {error}. {COPY_AGAIN}"
        ) from error
    for name in BUILT if isinstance(config, dict) else BUILT[:1]:
        is_needed = name in ("model", "dataset_reader")
        if not isinstance(config, dict) or not isinstance(config.get(name, None if is_needed else {}), dict):
            raise ConfigurationError(
                f"config.json in the archive {archive_file} does not describe a model: {name} is missing or is not "
                f"an object. {COPY_AGAIN}"
            )
    return config


def holds_only_weights(folder: Path) -> bool:
    """Unpacks an archive for AllenNLP's initializer `pretrained`, which may name one."""
    return {file.name for file in folder.iterdir()} in ({archival._WEIGHTS_NAME}, {archival._DEFAULT_WEIGHTS})


@contextlib.contextmanager
def extracted_archive(resolved_archive_file: FilePath, cleanup: bool = True) -> Iterator[str]:
    """Replaces AllenNLP's function of this name; always deletes the folder at the end."""
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
def unpacked(resolved: str, archive_file: FilePath, weights_file: str | None) -> Iterator[Path]:
    """The folder of a run, or the folder of an archive that is unpacked for the duration of the context."""
    with contextlib.nullcontext(resolved) if os.path.isdir(resolved) else extracted_archive(resolved) as folder:
        check_contents(Path(folder), archive_file, has_weights=weights_file is not None)
        yield Path(folder)


def checked_config(folder: Path, overrides: str | dict[str, Any], guard: Guard) -> ArchiveParams:
    """The config with the user's overrides; refused if it refers to anything outside the archive."""
    config = read_config(folder, guard.archive)
    of_user: set[str] = set()
    if overrides:
        of_archive = texts(config)
        config = Params.from_file(folder / archival.CONFIG_NAME, overrides).as_dict(quiet=True)
        of_user = texts(config) - of_archive
    # Weak labels are only for training: using a model must not open their dictionaries and models.
    for reader in ("dataset_reader", "validation_dataset_reader"):
        if isinstance(config.get(reader), dict):
            config[reader].pop("weak", None)
    check_reach(config, guard, guard.is_own, of_user)
    return ArchiveParams(config, guard=guard)


def load_archive(
    archive_file: FilePath,
    cuda_device: int = -1,
    overrides: str | dict[str, Any] = "",
    weights_file: str | None = None,
) -> archival.Archive:
    """Replaces AllenNLP's function of this name."""
    check_for_gpu(cuda_device)
    archive_audit.watch()
    with archive_guard.opening(archive_file) as guard, named_errors(archive_file):
        with unpacked(located(archive_file, guard), archive_file, weights_file) as folder:
            guard = replace(guard, is_own=is_own_archive(folder))
            config = checked_config(folder, overrides, guard)
            with guard.active(is_opening=True):
                readers = archival._load_dataset_readers(config.duplicate(), str(folder))
                weights = weights_file or archival.get_weights_path(str(folder))
                check_packing(weights, archive_file)
                model = archival._load_model(config.duplicate(), weights, str(folder), cuda_device)
            check_weights(model, archive_file)
            meta = Meta.from_path(folder / META_NAME) if (folder / META_NAME).exists() else None
        if meta is not None:
            archival._check_version_compatibility(archive_file, meta)
    return archival.Archive(model, config, *readers, meta)


def located(archive_file: FilePath, guard: Guard) -> str:
    """The local path of an archive. The archive that the user named may be downloaded."""
    try:
        if guard.depth > 0:
            return str(cached_path(archive_file))
        with archive_guard.paused():
            return str(cached_path(archive_file))
    except FileNotFoundError as error:
        raise ConfigurationError(no_such_archive(archive_file)) from error


def archive_config(archive_file: FilePath) -> dict[str, Any]:
    """The config of an archive or of a run's folder."""
    content = small_files(archive_file, archival.CONFIG_NAME).get(archival.CONFIG_NAME)
    if content is None:
        raise ConfigurationError(f"The archive {archive_file} has no {archival.CONFIG_NAME}. {COPY_AGAIN}")
    return parsed_config(content, archive_file)


def is_own_archive(archive_file: FilePath) -> bool:
    """Whether this user's training wrote the config of an archive or of a run's folder."""
    found = small_files(archive_file, archival.CONFIG_NAME, archive_origin.ORIGIN_NAME)
    config, origin = found.get(archival.CONFIG_NAME), found.get(archive_origin.ORIGIN_NAME)
    return config is not None and origin is not None and archive_origin.is_signed(config, origin)


def small_files(archive_file: FilePath, *names: str) -> dict[str, bytes]:
    """Those of the named files that an archive or a run's folder contains."""
    path = Path(cached_path(archive_file))
    if path.is_dir():
        return {name: (path / name).read_bytes() for name in names if (path / name).is_file()}
    found: dict[str, bytes] = {}
    try:
        for member, content in files(path):
            name = str(PurePosixPath(member.name))
            if name in names and content is not None:
                found[name] = content.read(MAX_CONFIG_BYTES + 1)
            if len(found) == len(names):
                break
    except UNREADABLE as error:
        raise unreadable(archive_file, path, error) from error
    return found


def archive_params(archive_file: FilePath) -> ArchiveParams:
    """Like `archive_config`, but everything built from it is guarded."""
    return ArchiveParams(
        archive_config(archive_file), guard=Guard(os.fspath(archive_file), is_own=is_own_archive(archive_file))
    )


def model_config(config: dict[str, Any]) -> dict[str, Any]:
    """The config of the model itself; if the model continues from another archive, that archive's config."""
    model = config["model"]
    for _ in range(MAX_DEPTH + 1):
        if model["type"] != "from_archive":
            return model
        model = archive_config(model["archive_file"])["model"]
    raise ConfigurationError(
        f"The archive {model['archive_file']} is refused: archives refer to each other in a circle."
    )


def copy_archive(
    archive_file: FilePath, target: FilePath, config: dict[str, Any], vocab: Vocabulary | None = None
) -> None:
    """
    Writes an archive with the same weights and a new config, and a new vocabulary if given. For a run's folder, its
    final archive is used.
    """
    source = Path(cached_path(archive_file))
    if source.is_dir():
        source = source / "model.tar.gz"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(source, folder)
        check_contents(folder, archive_file)
        is_own = is_own_archive(folder)
        (folder / archival.CONFIG_NAME).write_text(json.dumps(config, indent=2), encoding="utf-8")
        if is_own:
            archive_origin.sign(folder)
        if vocab is not None:
            shutil.rmtree(folder / "vocabulary")
            vocab.save_to_files(str(folder / "vocabulary"))
        with replacing(target) as unfinished, tarfile.open(unfinished, "w:gz", compresslevel=COMPRESSION) as archive:
            for file in sorted(folder.iterdir()):
                archive.add(file, arcname=file.name)
