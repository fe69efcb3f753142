"""
Lets configs import ner_zoo's parts from any folder, and lets `-o` take parts as well as JSON.

    local use = import 'ner_zoo/use.libsonnet';                    # in a config, wherever it is
    allennlp train CONFIG -o "use.encoder('bert-base-cased')"      # CONFIG + use.encoder(...)
"""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

PARTS = Path(__file__).parents[1] / "jsonnet"


def find_import(folder: str, name: str) -> tuple[str, bytes]:
    """Jsonnet's import callback: a file next to the importing one or, for `ner_zoo/NAME`, one of ner_zoo's own."""
    candidates = [Path(folder) / name]
    if name.startswith("ner_zoo/"):
        candidates.append(PARTS / name.removeprefix("ner_zoo/"))
    for path in candidates:
        if path.is_file():
            return str(path), path.read_bytes()
    known = ", ".join(f"ner_zoo/{path.name}" for path in sorted(PARTS.glob("*.libsonnet")))
    raise RuntimeError(f"there is no {name} in {folder or 'this folder'}; ner_zoo provides {known}")


def with_parts(evaluate: Callable[..., str]) -> Callable[..., str]:
    """Wraps a Jsonnet function so that it finds ner_zoo's parts."""

    def evaluate_with_parts(*arguments: Any, ext_vars: dict[str, str] | None = None) -> str:
        return evaluate(*arguments, ext_vars=ext_vars or {}, import_callback=find_import)

    return evaluate_with_parts


def added_to(config: str, parts: str) -> str:
    """A Jsonnet program that adds parts to a config."""
    return (
        f"local use = import 'ner_zoo/use.libsonnet'; local config = import {json.dumps(config)};\n"
        "assert std.objectHasAll(config, 'inputs') : "
        "'parts can only be added to a config that is built from parts: experiment + use.PART + ...';\n"
        f"config + {parts}"
    )


def import_parts_from_anywhere(params: ModuleType) -> None:
    """Gives AllenNLP an import path: by default a config can import only neighbouring files."""
    params.evaluate_file = with_parts(params.evaluate_file)  # type: ignore[attr-defined]
    params.evaluate_snippet = with_parts(params.evaluate_snippet)  # type: ignore[attr-defined]


def is_of_parts(overrides: Any) -> bool:
    """Whether an override is a part rather than JSON."""
    return isinstance(overrides, str) and overrides.lstrip().startswith("use.")


def evaluate_with(parts: str, params_file: str | Path, variables: dict[str, str]) -> dict[str, Any]:
    """Evaluates a config file with parts added to it."""
    from allennlp.common import params
    from allennlp.common.file_utils import cached_path

    program = added_to(str(Path(cached_path(params_file)).resolve()), parts)
    ext_vars = {**params._environment_variables(), **variables}
    return json.loads(params.evaluate_snippet("-o", program, ext_vars=ext_vars))
