"""
How the labels of spans encode entity types.

A span has one label: `O`, a type, or several types (`PER + ORG`), for spans with more than one type. A fragment of a
discontinuous entity is labelled with its type and a mark (`EVENT (part)`), and is not an entity by itself.
"""

from collections.abc import Collection

from ner_zoo.data.tag_schemes import OUTSIDE
from ner_zoo.platform.configuration_error import ConfigurationError

AND = " + "
PART = " (part)"


def check_type(type: str, source: str) -> str:
    """Checks that the type of an entity read at `source` can be used in labels."""
    if type == OUTSIDE or AND in type or type.endswith(PART):
        raise ConfigurationError(
            f"{source} has an entity of type {type!r}, but span labels reserve {OUTSIDE!r} for non-entities, {AND!r} "
            f"between types and {PART!r} for fragments. Rename the type, or use the view `tags`."
        )
    return type


def join_types(types: Collection[str]) -> str:
    """The label of a span with these types; if a corpus has only one type, its name may be empty."""
    return AND.join(sorted(set(types))) if types else OUTSIDE


def split_label(label: str) -> list[str]:
    """The types of a span with this label."""
    return [] if label == OUTSIDE else label.split(AND)
