"""
Reads one JSON object per line and validates it: anything unexpected raises a `ConfigurationError` with file and line. A
file that is one JSON list of objects is read too.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora import text_file
from ner_zoo.data.corpora.json_list import elements, is_list
from ner_zoo.data.repairs import Repairs

Record = dict[str, Any]
Value = TypeVar("Value")
KINDS = {dict: "an object", list: "a list", str: "a string", int: "a whole number"}


def objects(file: str, repairs: Repairs, encoding: str | None = None) -> Iterator[tuple[str, Record]]:
    """Streams the objects of the file, each with its `file:line`."""
    if is_list(file):
        for element in elements(file, encoding, repairs):
            source = f"{file}:{element.line}"
            value = checked(element.value, dict, "an element of the list", source)
            yield source, _without_lone_surrogates(value, element.text, source, repairs)
        return
    for number, line in text_file.lines(file, encoding, repairs):
        if line.strip():
            source = f"{file}:{number}"
            value = checked(_parse(line, source), dict, "a line", source)
            yield source, _without_lone_surrogates(value, line, source, repairs)


def _parse(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ConfigurationError(
            f"{source} contains lists or objects that are nested too deeply. Check the file."
        ) from None
    except ValueError as error:
        raise ConfigurationError(
            f"{source} is not JSON ({error}). Expected one JSON object per line. Check that the file is complete."
        ) from None


def _without_lone_surrogates(value: Value, read: str, source: str, repairs: Repairs) -> Value:
    """Replaces unpaired surrogates, which are not characters and cannot be encoded, with question marks."""
    if "\\ud" not in read and "\\uD" not in read:
        return value
    text = json.dumps(value, ensure_ascii=False)
    written = text.encode("utf-8", "replace").decode("utf-8")
    if written == text:
        return value
    repairs.add("unpaired surrogate replaced by a question mark", source)
    return json.loads(written)


def checked(value: Any, kind: type[Value], name: str, source: str) -> Value:
    """The value if it has the expected type; booleans are not numbers."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ConfigurationError(f"{source}: {name} must be {KINDS[kind]}, but is {shown(value)}.")
    return value


def shown(value: Any) -> str:
    """A value for an error message: short plain values verbatim, otherwise the kind of value."""
    if isinstance(value, (dict, list)):
        return f"{KINDS[type(value)]} of {len(value)}"
    return json.dumps(value)[:80]


def field(record: Record, names: Sequence[str], kind: type[Value], source: str, default: Value | None = None) -> Value:
    """The first of the fields `names` that is not null; the default, if there is one, if the record has none."""
    for name in names:
        if record.get(name) is not None:
            return checked(record[name], kind, f'"{name}"', source)
    if default is not None:
        return default
    others = f" (or {', '.join(names[1:])})" if len(names) > 1 else ""
    raise ConfigurationError(f'{source} has no field "{names[0]}"{others}; it has {sorted(record)[:12]}.')


def get(record: Record, name: str, kind: type[Value], source: str, default: Value | None = None) -> Value:
    """The field `name` of a record; the default, if there is one, for a missing field or null."""
    return field(record, (name,), kind, source, default)


def integers(value: Any, name: str, source: str, length: int) -> list[int]:
    """The first `length` elements of a list, which must be integers."""
    listed = checked(value, list, name, source)
    if len(listed) < length:
        raise ConfigurationError(f"{source}: {name} must have {length} numbers, but is {shown(value)}.")
    return [checked(number, int, name, source) for number in listed[:length]]
