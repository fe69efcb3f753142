"""
What the config of an archive may reach: nothing but the archive itself, and encoders on this machine that are data.

    a URL                              refused, unless downloads are allowed
    a key that makes transformers run code, unpickle or look elsewhere     refused
    a folder with an encoder           allowed if it holds data only: no code of its own, no adapter
    any other path outside             allowed in the user's own archives, and below NER_ZOO_ALLOWED_PATHS

The user's own are the archives that this user's training has written (`archive_origin`). What the user overrides
on the command line is the user's own as well. Everything is checked before anything is built.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_allowlist import is_named_by_user
from ner_zoo.platform.archive_guard import Guard, downloads_are_allowed

ALLOWED_PATHS = "NER_ZOO_ALLOWED_PATHS"
# The parts of a config that are built when a model is used; training data, trainer and the like are not.
BUILT = (
    "model",
    "dataset_reader",
    "validation_dataset_reader",
    "data_loader",
    "validation_data_loader",
    "evaluation",
)
# AllenNLP removes these from `model` before it builds a trained one.
LEFT_OUT = ("pretrained_file", "initializer")
# Arguments by which transformers and torch run code, unpickle, or take weights and files from elsewhere.
FORBIDDEN_KEYS = frozenset(
    """
    trust_remote_code weights_only code_revision pickle_module allow_pickle
    from_tf from_flax gguf_file quantization_config state_dict key_mapping adapter_kwargs adapter_name
    cache_dir proxies token use_auth_token mirror revision local_files_only force_download resume_download
    device_map offload_folder tp_plan use_kernels kernel_config experts_implementation
    tokenizer_file auto_map custom_pipelines _configuration_file config_file_name
    """.split()
)
HARMLESS_VALUES = (None, False, "main")
ATTENTION_KEYS = ("attn_implementation", "_attn_implementation")
ENCODER_KEYS = ("model_name", "transformer_model_name", "pretrained_model_name")
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
ABSOLUTE = re.compile(r"(/|~|\\\\|[A-Za-z]:[\\/]).*\w")
HAS_EXTENSION = re.compile(r"\.\w{1,6}$")


def values(config: Any, place: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every value in a config that is not a dict or a list, with its key and its place."""
    if isinstance(config, Mapping):
        for key, value in config.items():
            here = f"{place}.{key}".lstrip(".")
            yield from values(value, here) if isinstance(value, (Mapping, list)) else [(here, str(key), value)]
    elif isinstance(config, list):
        key = place.rpartition(".")[2]
        for number, value in enumerate(config):
            here = f"{place}.{number}"
            yield from values(value, here) if isinstance(value, (Mapping, list)) else [(here, key, value)]


def built_values(config: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for part in BUILT:
        for place, key, value in values({part: config.get(part)}):
            if part == "model" and any(name in place.split(".") for name in LEFT_OUT):
                continue
            yield place, key, value


def check_reach(config: Mapping[str, Any], guard: Guard, is_own: bool, of_user: set[str]) -> None:
    """
    Refuses a config that reaches outside of its archive.

    is_own : whether the user's own training wrote it.
    of_user : values that the user gave on the command line.
    """
    for place, key, value in built_values(config):
        problem = problem_of_key(config, place, key, value)
        if problem is None and isinstance(value, str) and value not in of_user:
            problem = problem_of_text(key, value, is_own)
        if problem is not None:
            raise ConfigurationError(f"The archive {guard.archive} is refused: in its config {place} {problem}")


def problem_of_key(config: Mapping[str, Any], place: str, key: str, value: Any) -> str | None:
    names = [name for name in place.split(".") if name in FORBIDDEN_KEYS]
    is_unsafe = key == "use_safetensors" and value is False
    is_elsewhere = key in ATTENTION_KEYS and "/" in str(value)
    harmless = key == "weights_only" and value is True
    if is_unsafe or is_elsewhere or (names and value not in HARMLESS_VALUES and not harmless):
        return (
            f"is {value!r}, by which opening it could run code or take files from elsewhere. Remove the key if you do "
            "not need it."
        )
    return "is false, by which opening it could run code." if key == "weights_only" and value is False else None


def problem_of_text(key: str, value: str, is_own: bool) -> str | None:
    if URL.match(value):
        return None if downloads_are_allowed() else f"is the address {value}. Give --allow-downloads to fetch it."
    if key == "type":
        return None if "." not in value else problem_of_type(value)
    if not names_a_path(value):
        return None
    if key in ENCODER_KEYS:
        return problem_of_encoder(Path(value))
    if is_own or is_below_allowed(Path(value)):
        return None
    return (
        f"names {value}, which is outside of the archive, and it is not you who trained it. If you trust it, allow the "
        f"folder: {ALLOWED_PATHS}={os.path.dirname(value) or '.'}"
    )


def problem_of_type(name: str) -> str | None:
    """Names with a dot are code to import. Found here before anything is built; in other places when it would be."""
    if is_named_by_user(name):
        return None
    package = name.partition(".")[0]
    return (
        f"is {name!r}, which is not a registered part but code to import. If you trust its author and the package, "
        f"give --include-package {package}."
    )


def names_a_path(value: str) -> bool:
    """Whether a text is a path outside of the archive: absolute, upwards, or of something in the current folder."""
    if ABSOLUTE.match(value) or ".." in re.split(r"[\\/]", value):
        return True
    try:
        return ("/" in value or HAS_EXTENSION.search(value) is not None) and os.path.exists(value)
    except ValueError:
        return False


def is_below_allowed(path: Path) -> bool:
    folders = [Path(folder).resolve() for folder in os.environ.get(ALLOWED_PATHS, "").split(os.pathsep) if folder]
    return any(path.expanduser().resolve().is_relative_to(folder) for folder in folders)


def problem_of_encoder(folder: Path) -> str | None:
    """An encoder is read as data: what would make transformers run code beside it is refused."""
    if not folder.exists():
        return f"is the encoder {folder}, which is not there. Give its place on this machine: -o '{{...}}'"
    if not (folder / "config.json").is_file():
        return f"is {folder}, which is not the folder of an encoder: it has no config.json."
    if (folder / "adapter_config.json").exists():
        return f"is {folder}, which holds an adapter. Merge it into its encoder first."
    for name in ("config.json", "tokenizer_config.json"):
        path = folder / name
        try:
            settings = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        except (OSError, ValueError, RecursionError) as error:
            return f"is {folder}, but {path} cannot be read: {error}"
        for place, key, value in values(settings):
            if "auto_map" in place.split(".") or (key in ATTENTION_KEYS and "/" in str(value)):
                return f"is {folder}, whose {name} asks for code of its own at {place}."
    return None
