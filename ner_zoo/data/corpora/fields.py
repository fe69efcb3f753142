"""
The fields of a record: the different names that tools use, and the offsets of tokens.

An annotation list in an unknown field raises an error that lists the known ones if all of these are missing, because it
would be ignored.
"""

from collections.abc import Collection
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Span
from ner_zoo.data.corpora.annotated_text import check_inside
from ner_zoo.data.corpora.json_lines import Record, checked, get

START = ("start", "start_offset", "begin", "start_char")
END = ("end", "end_offset", "stop", "end_char")
TYPE = ("type", "label", "tag", "entity_type", "entity_group", "category")


def token_spans(record: Record, text: str, source: str) -> list[Span]:
    """The characters of the tokens of a record, which are objects with "start" and "end"."""
    tokens = [checked(token, dict, "a token", source) for token in get(record, "tokens", list, source)]
    spans = [(get(token, "start", int, source), get(token, "end", int, source)) for token in tokens]
    check_inside(text, spans, "a token", source)
    return spans


def refuse_unknown(record: Record, known: Collection[str], source: str) -> None:
    """For a record without known annotation fields: checks that no other public field looks like annotations."""
    for name, value in record.items():
        if name in known or name.startswith("_") or not (is_annotation(value) or _is_tags(name, value, record)):
            continue
        raise ConfigurationError(
            f'{source} has the field "{name}", which looks like annotations but is not a field of this format. The '
            f"format has {', '.join(sorted(known))}."
        )


def _is_tags(name: str, value: Any, record: Record) -> bool:
    """Whether a field may contain one tag per token."""
    tokens = record.get("tokens")
    is_parallel = isinstance(value, list) and isinstance(tokens, list) and 0 < len(value) == len(tokens)
    return is_parallel and any(part in name.lower() for part in ("ner", "tag", "label"))


def is_annotation(value: Any) -> bool:
    """Whether a value may contain entities or relations: a list of objects or lists."""
    return isinstance(value, list) and any(isinstance(element, (dict, list)) and element for element in value)
