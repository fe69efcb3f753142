"""
Checks that the config of an archive refers to nothing outside the archive.

    a URL                              refused, unless downloads are allowed
    a key that makes transformers run code, unpickle or look elsewhere     refused
    more worker processes than the machine can use                         refused
    a path outside                     allowed in the user's own archives and in NER_ZOO_ALLOWED_PATHS
    a folder with an encoder           like a path, and only if it contains data: no code of its own, no adapter

The user's own archives are those that this user's training wrote (`archive_origin`). Values that the user overrides on
the command line are trusted too. Everything is checked before anything is built.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_allowlist import is_named_by_user, trust_advice
from ner_zoo.platform.archive_guard import Guard, downloads_are_allowed

ALLOWED_PATHS = "NER_ZOO_ALLOWED_PATHS"
# The parts of a config that are built when a model is used; training data, trainer and so on are not.
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
# Keys that make torch, numpy and transformers run code or unpickle, anywhere in a config.
FORBIDDEN_KEYS = frozenset(
    "trust_remote_code weights_only code_revision pickle_module allow_pickle auto_map custom_pipelines".split()
)
# Arguments that make transformers run code, start processes, or take weights and files from elsewhere.
FORBIDDEN_ARGUMENTS = frozenset(
    """
    from_tf from_flax gguf_file quantization_config state_dict key_mapping adapter_kwargs adapter_name
    cache_dir proxies token use_auth_token mirror revision local_files_only force_download resume_download _commit_hash
    config subfolder variant generation_config _configuration_file config_file_name
    device_map device_mesh max_memory offload_folder offload_buffers tp_plan tp_size distributed_config
    use_kernels allow_all_kernels kernel_config experts_implementation use_timm_backbone use_pretrained_backbone
    tokenizer_file tokenizer_object tokenizer_class tokenizer_type vocab_file merges_file chat_template
    """.split()
)
HARMLESS_VALUES = (None, False, "main")
ATTENTION_KEYS = ("attn_implementation", "_attn_implementation")
ENCODER_KEYS = (
    "model_name",
    "transformer_model_name",
    "pretrained_model_name",
    "pretrained_model",
    "bert_model",
    "bert_model_name",
)
# The values of these keys may be folders even if they look like names: encoders and spaCy pipelines.
NAME_KEYS = (*ENCODER_KEYS, "language")
# The values of these keys are always paths. Some parts of allennlp-models run a program found there.
PATH_KEY = re.compile(r"(^|_)(file|filename|path|dir|directory|folder)s?$")
MAX_WORKERS = 4 * (os.cpu_count() or 1) + 8
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
ABSOLUTE = re.compile(r"(/|~|\\\\|[A-Za-z]:[\\/]).*\w")
HAS_EXTENSION = re.compile(r"\.\w{1,6}$")


def values(config: Any, place: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yields every scalar in a config with its key and its location."""
    if isinstance(config, Mapping):
        for key, value in config.items():
            here = f"{place}.{key}".lstrip(".")
            yield from values(value, here) if isinstance(value, (Mapping, list)) else [(here, str(key), value)]
    elif isinstance(config, list):
        key = place.rpartition(".")[2]
        for number, value in enumerate(config):
            here = f"{place}.{number}"
            yield from values(value, here) if isinstance(value, (Mapping, list)) else [(here, key, value)]


def texts(config: Mapping[str, Any]) -> set[str]:
    """Every string in a config."""
    return {value for _, _, value in values(config) if isinstance(value, str)}


def built_values(config: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for part in BUILT:
        for place, key, value in values({part: config.get(part)}):
            if part != "model" or not is_left_out(place.split(".")):
                yield place, key, value


def is_left_out(names: list[str]) -> bool:
    """Removes ignored keys inside lists too, which AllenNLP does not."""
    return any(name in LEFT_OUT and not any(map(str.isdecimal, names[:number])) for number, name in enumerate(names))


def check_reach(config: Mapping[str, Any], guard: Guard, is_own: bool, of_user: set[str]) -> None:
    """
    Refuses a config that refers to anything outside its archive.

    is_own : whether the user's own training wrote the archive.
    of_user : values that the user passed on the command line.
    """
    for place, key, value in built_values(config):
        problem = problem_of_key(place.split("."), key, value)
        if problem is None and isinstance(value, str) and value not in of_user:
            problem = problem_of_text(key, value, is_own)
        if problem is not None:
            raise ConfigurationError(f"The archive {guard.archive} is refused: in its config {place} {problem}")


def problem_of_key(names: list[str], key: str, value: Any) -> str | None:
    if key == "num_workers" and isinstance(value, (int, float)) and value > MAX_WORKERS:
        return f"is {value}, more processes than this machine can use. Override it with -o '{{...}}'"
    is_argument = any(name.endswith("kwargs") for name in names)
    is_named = any(name in FORBIDDEN_KEYS or (is_argument and name in FORBIDDEN_ARGUMENTS) for name in names)
    is_off = value is False and key in ("weights_only", "use_safetensors")
    is_elsewhere = key in ATTENTION_KEYS and "/" in str(value)
    is_harmless = value in HARMLESS_VALUES or (key == "weights_only" and value is True)
    if not is_off and not is_elsewhere and (not is_named or is_harmless):
        return None
    return (
        f"is {json.dumps(value)}, which could run code or load files from elsewhere. Remove the key if "
        "you do not need it."
    )


def problem_of_text(key: str, value: str, is_own: bool) -> str | None:
    if URL.match(value):
        return None if downloads_are_allowed() else f"is the URL {value}. Pass --allow-downloads to download it."
    if key == "type":
        return None if "." not in value else problem_of_type(value)
    if not names_a_path(key, value):
        return None
    if not is_own and not is_below_allowed(Path(value)):
        return (
            f"names {value}, which is outside the archive, and you did not train this model. If you trust it, allow "
            f"the folder: {ALLOWED_PATHS}={os.path.dirname(value) or '.'}"
        )
    return problem_of_encoder(Path(value)) if key in ENCODER_KEYS else None


def problem_of_type(name: str) -> str | None:
    """Checks names with a dot, which are code to import, before anything is built."""
    if is_named_by_user(name):
        return None
    return f"is {name!r}, which is not a registered part but code to import. {trust_advice(name)}"


def names_a_path(key: str, value: str) -> bool:
    """Whether a value is a path outside the archive: absolute, upwards, or an existing file in the current folder."""
    if ABSOLUTE.match(value) or ".." in re.split(r"[\\/]", value) or (value and PATH_KEY.search(key)):
        return True
    looks_like_one = "/" in value or HAS_EXTENSION.search(value) is not None or (value and key in NAME_KEYS)
    try:
        return bool(looks_like_one) and os.path.exists(value)
    except ValueError:
        return False


def may_read(path: str, is_own: bool) -> bool:
    """Whether a path named by an archive may be read."""
    return not URL.match(path) and (is_own or is_below_allowed(Path(path)))


def is_below_allowed(path: Path) -> bool:
    folders = [Path(folder).resolve() for folder in os.environ.get(ALLOWED_PATHS, "").split(os.pathsep) if folder]
    return any(path.expanduser().resolve().is_relative_to(folder) for folder in folders)


def problem_of_encoder(folder: Path) -> str | None:
    """Checks that an encoder folder contains only data, nothing that makes transformers run code."""
    if not folder.exists():
        return f"is the encoder {folder}, which does not exist. Override it with its path on this machine: -o '{{...}}'"
    if not (folder / "config.json").is_file():
        return f"is {folder}, which is not an encoder: it has no config.json."
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
                return f"is {folder}, whose {name} refers to custom code at {place}."
    return None
