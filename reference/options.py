"""
The options of a class in a config, with type, default and description, from the constructor and docstrings.

A description is written in the docstring of the class or of a base class:

    name : what it is.
    first, second : what both are, which may
        take more than one line.
"""

import inspect
import re
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

ENTRY = re.compile(r"^(?P<names>\w+(?:, \w+)*) : (?P<text>.+)$")
# Set by AllenNLP or by the owner of the part, never in a config.
GIVEN = {"self", "vocab", "serialization_dir", "corpus", "cuda_device", "optimizer", "args", "kwargs"}
# Written if a class passes an option on to its base class.
INHERITED = "as for all models."
NO_DEFAULT = inspect.Parameter.empty


@dataclass(frozen=True)
class Option:
    """default : as written in a config; `None` if the option is required."""

    name: str
    type: str
    default: str | None
    description: str


def described(docstring: str | None) -> dict[str, str]:
    """The descriptions in a docstring, by name."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in inspect.cleandoc(docstring or "").splitlines():
        entry = ENTRY.match(line)
        if entry:
            names = entry["names"].split(", ")
            found.update(dict.fromkeys(names, entry["text"]))
        elif names and line.startswith(" ") and line.strip():
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
        else:
            names = []
    return found


def descriptions(cls: type) -> dict[str, str]:
    """The descriptions of a class and its base classes; its own take precedence."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        constructor = base.__dict__.get("__init__")
        texts = described(base.__dict__.get("__doc__")) | described(constructor.__doc__ if constructor else None)
        found.update({name: text for name, text in texts.items() if text != INHERITED or name not in found})
    return found


def summary(cls: type) -> str:
    """The paragraph of a class's docstring before its options, or the first one of its module's."""
    own = paragraph(cls.__dict__.get("__doc__"))
    return own or paragraph(inspect.getdoc(inspect.getmodule(cls)))


def paragraph(docstring: str | None) -> str:
    lines: list[str] = []
    for line in inspect.cleandoc(docstring or "").splitlines():
        if ENTRY.match(line) or (lines and not line.strip()):
            break
        lines.append(line.strip())
    return " ".join(lines).strip()


def options(cls: type, constructor: Callable[..., Any] | None = None) -> Iterator[Option]:
    """The options of a class, in the order of its constructor."""
    constructor = constructor or cls.__init__  # type: ignore[misc]
    if constructor is object.__init__:
        return
    hints, texts = get_type_hints(constructor), descriptions(cls)
    for name, parameter in inspect.signature(constructor).parameters.items():
        if name not in GIVEN and parameter.kind != inspect.Parameter.VAR_KEYWORD:
            default = None if parameter.default is NO_DEFAULT else written(parameter.default)
            yield Option(name, type_name(hints.get(name, Any)), default, texts.get(name, ""))


def written(value: Any) -> str:
    """A default in Jsonnet syntax."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    return repr(value) if isinstance(value, (str, int, float, dict)) else type(value).__name__


def type_name(annotation: Any) -> str:
    """A type in a few words: `number or null`, `list of Loss`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(type_name(argument) for argument in arguments))
    if origin in (list, tuple, set) or getattr(origin, "__name__", "") in ("Sequence", "Iterable"):
        inner = [type_name(argument) for argument in arguments if argument is not Ellipsis]
        return f"list of {' and '.join(dict.fromkeys(inner))}" if inner else "list"
    if origin is dict or getattr(origin, "__name__", "") == "Mapping":
        return f"object of {type_name(arguments[1])}"
    if origin is not None and arguments:
        return type_name(arguments[0])
    plain = {int: "integer", float: "number", bool: "boolean", str: "string", type(None): "null", Any: "any"}
    return plain.get(annotation) or getattr(annotation, "__name__", str(annotation))
