"""
How labels of spans are written: the types they stand for.

A span has one label: `O`, a type, or several types at once (`PER + ORG`), so that one span may carry two. A fragment of
a discontinuous entity has the type with a mark (`EVENT (part)`): by itself it is not an entity.
"""

from collections.abc import Collection

from ner_zoo.data.tag_schemes import OUTSIDE
from ner_zoo.platform.configuration_error import ConfigurationError

AND = " + "
PART = " (part)"


def check_type(type: str, source: str) -> str:
    """The type of an entity read at `source`, if labels can be made of it."""
    if type == OUTSIDE or AND in type or type.endswith(PART):
        raise ConfigurationError(
            f"{source} has an entity of type {type!r}, but labels of spans use {OUTSIDE!r} for what is not an entity, "
            f"{AND!r} between types and {PART!r} for fragments. Give the type another name, or use the view `tags`."
        )
    return type


def join_types(types: Collection[str]) -> str:
    """The label of a span with these types; the type of a corpus that has but one may have no name."""
    return AND.join(sorted(set(types))) if types else OUTSIDE


def split_label(label: str) -> list[str]:
    """The types of a span with this label."""
    return [] if label == OUTSIDE else label.split(AND)
