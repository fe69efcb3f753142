"""
Configs import ner_zoo's parts from any folder, and `-o` takes parts as well as JSON.

    local use = import 'ner_zoo/use.libsonnet';                    # in a config, wherever it is
    allennlp train CONFIG -o "use.encoder('bert-base-cased')"      # CONFIG + use.encoder(...)
"""

import json
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple, Union

PARTS = Path(__file__).parents[1] / "jsonnet"
# Where the configs look for corpora if the environment does not say. Jsonnet has no defaults for external variables.
DEFAULTS = {"NER_ZOO_DATA": "data"}


def find_import(folder: str, name: str) -> Tuple[str, bytes]:
    """What Jsonnet imports: a file beside the one that imports it or, as `ner_zoo/NAME`, one of ner_zoo's own."""
    candidates = [Path(folder) / name]
    if name.startswith("ner_zoo/"):
        candidates.append(PARTS / name.removeprefix("ner_zoo/"))
    for path in candidates:
        if path.is_file():
            return str(path), path.read_bytes()
    known = ", ".join(f"ner_zoo/{path.name}" for path in sorted(PARTS.glob("*.libsonnet")))
    raise RuntimeError(f"there is no {name} in {folder or 'this folder'}; ner_zoo itself has {known}")


def with_parts(evaluate: Callable[..., str]) -> Callable[..., str]:
    """One of Jsonnet's functions, which then finds ner_zoo's parts."""

    def evaluate_with_parts(*arguments: Any, ext_vars: Optional[Dict[str, str]] = None) -> str:
        return evaluate(*arguments, ext_vars={**DEFAULTS, **(ext_vars or {})}, import_callback=find_import)

    return evaluate_with_parts


def added_to(config: str, parts: str) -> str:
    """The Jsonnet program of a config to which parts are added."""
    return (
        f"local use = import 'ner_zoo/use.libsonnet'; local config = import {json.dumps(config)};\n"
        "assert std.objectHasAll(config, 'inputs') : "
        "'parts can be added only to a config that is made of parts: experiment + use.PART + ...';\n"
        f"config + {parts}"
    )


def import_parts_from_anywhere() -> None:
    """AllenNLP evaluates a config without a path for imports: it can import only what is beside it."""
    from allennlp.common import Params, params
    from allennlp.common.file_utils import cached_path

    params.evaluate_file = with_parts(params.evaluate_file)
    params.evaluate_snippet = with_parts(params.evaluate_snippet)
    original = Params.from_file.__func__

    def from_file(
        cls: type,
        params_file: Union[str, Path],
        params_overrides: Union[str, Dict[str, Any]] = "",
        ext_vars: Optional[Dict[str, str]] = None,
    ) -> Params:
        if not isinstance(params_overrides, str) or not params_overrides.lstrip().startswith("use."):
            return original(cls, params_file, params_overrides, ext_vars)
        program = added_to(str(cached_path(params_file)), params_overrides)
        variables = {**params._environment_variables(), **(ext_vars or {})}
        return Params(json.loads(params.evaluate_snippet(str(params_file), program, ext_vars=variables)))

    Params.from_file = classmethod(from_file)
