"""
Evaluates config files with the corpus folder as an external variable, and explains evaluation errors.

A config builds paths from `std.extVar('NER_ZOO_DATA')`. If that variable is not set, a placeholder that no folder has
takes its place: a config without such paths, or with all of them overridden by `-o`, still works.
"""

import difflib
import functools
import json
import os
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from ner_zoo.platform.config_parts import evaluate_with, is_of_parts

DATA = "NER_ZOO_DATA"
UNKNOWN = f"${DATA}"
# The prefix of Jsonnet's messages about a text without lines.
JSONNET_PLACE = re.compile(r"\A(STATIC|RUNTIME) ERROR: (\S*?:)?[\d:-]+ ")


def variables(given: dict[str, str] | None) -> dict[str, str]:
    """The external variables available to a config, in addition to the environment: Jsonnet has no defaults."""
    return {DATA: os.environ.get(DATA, UNKNOWN), **(given or {})}


def check_data(params_file: Any, config: dict[str, Any]) -> None:
    """Refuses a config that uses corpora if the corpus folder is not set."""
    from allennlp.common.checks import ConfigurationError

    from ner_zoo.platform.archive_reach import texts

    wanted = sorted(value for value in texts(config) if UNKNOWN in value)
    if wanted:
        raise ConfigurationError(
            f"The config {params_file} reads {', '.join(wanted)}, but {DATA} is not set. Set it to the folder of your "
            f"corpora: export {DATA}=/path/to/corpora"
        )


def parsed_overrides(params: ModuleType, overrides: Any, ext_vars: dict[str, str]) -> dict[str, Any]:
    """Parses `-o`, which must be a JSON object."""
    from allennlp.common.checks import ConfigurationError

    if not isinstance(overrides, str):
        return overrides
    try:
        parsed = params.parse_overrides(overrides, ext_vars)
    except (RuntimeError, ValueError) as error:
        reason = JSONNET_PLACE.sub("", str(error).strip())
    else:
        if isinstance(parsed, dict):
            return parsed
        reason = f"it is a {type(parsed).__name__}, not an object"
    raise ConfigurationError(
        f"-o '{shown(overrides)}' is not a JSON object: {reason}. Pass keys and values, "
        '-o \'{"trainer.num_epochs": 5}\', or parts, -o "use.hinge".'
    )


def shown(overrides: Any) -> str:
    return textwrap.shorten(overrides if isinstance(overrides, str) else json.dumps(overrides), 200)


def nearest_part(params: ModuleType, error: Exception, params_file: Any, overrides: Any) -> str:
    """The message for an error about a part that does not exist, with the closest existing name; empty for others."""
    missing = re.search(r"field does not exist: (\w+)", str(error), re.IGNORECASE)
    named = rf"\buse\.{missing[1]}\b" if missing is not None else ""
    in_overrides = isinstance(overrides, str) and bool(missing and re.search(named, overrides))
    if missing is None or not (in_overrides or re.search(named, Path(params_file).read_text(encoding="utf-8"))):
        return ""
    program = "std.objectFieldsAll(import 'ner_zoo/use.libsonnet')"
    known = json.loads(params.evaluate_snippet("parts", program, ext_vars=variables(dict(os.environ))))
    nearest = difflib.get_close_matches(missing[1], known, n=1, cutoff=0.5)
    if nearest == [missing[1]]:
        return ""
    meant = f"Did you mean use.{nearest[0]}?" if nearest else f"Available parts: {', '.join(known)}."
    where = f"-o '{shown(overrides)}'" if in_overrides else f"The config {params_file}"
    return f"{where} uses use.{missing[1]}, which does not exist. {meant}"


def explain_what_does_not_evaluate(params: ModuleType) -> None:
    from allennlp.common.checks import ConfigurationError

    original = params.Params.from_file.__func__

    @functools.wraps(original)
    def from_file(
        cls: Any, params_file: Any, params_overrides: Any = "", ext_vars: dict[str, str] | None = None
    ) -> Any:
        try:
            if is_of_parts(params_overrides):
                evaluated = cls(evaluate_with(params_overrides, params_file, variables(ext_vars)))
            else:
                given = parsed_overrides(params, params_overrides, variables(ext_vars))
                evaluated = original(cls, params_file, given, variables(ext_vars))
        except FileNotFoundError as error:
            raise ConfigurationError(f"There is no config {params_file}.") from error
        except (RuntimeError, ValueError) as error:
            advice = nearest_part(params, error, params_file, params_overrides)
            what = f"The config {params_file}"
            if params_overrides:
                what += f" with -o '{shown(params_overrides)}'"
            raise ConfigurationError(advice or f"{what} cannot be evaluated:\n{error}") from error
        check_data(params_file, evaluated.as_dict(quiet=True))
        return evaluated

    params.Params.from_file = classmethod(from_file)


def check_keys(from_params: ModuleType) -> None:
    """Makes AllenNLP check everything it builds from a config, and report where a value has the wrong type."""
    from allennlp.common.checks import ConfigurationError

    original = from_params.create_kwargs

    def create_kwargs(constructor: Callable[..., Any], cls: type, params: Any, **extras: Any) -> dict[str, Any]:
        from ner_zoo.platform.strict_config import check_part

        check_part(cls, constructor, params)
        try:
            return original(constructor, cls, params, **extras)
        except TypeError as error:
            if not str(error).startswith("Expected "):
                raise
            place = params.history.rstrip(".") or "the experiment"
            raise ConfigurationError(f"In the config, at {place}: {error}") from error

    from_params.create_kwargs = create_kwargs  # type: ignore[attr-defined]
