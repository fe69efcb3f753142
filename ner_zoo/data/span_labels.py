"""
The labels of a span classifier, and the types they stand for.

A span has one label: `O`, a type, or several types at once (`PER + ORG`), so that one span may carry two. A fragment of
a discontinuous entity has the type with a mark (`EVENT (part)`): by itself it is no entity.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Collection, List, Tuple

import numpy as np
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.tag_schemes import OUTSIDE

AND = " + "
PART = " (part)"


def check_type(type: str, source: str) -> str:
    """The type of an entity read at `source`, if labels can be made of it."""
    if type == OUTSIDE or AND in type or type.endswith(PART):
        raise ConfigurationError(
            f"{source} has an entity of type {type!r}, but labels of spans use {OUTSIDE!r} for what is no entity, "
            f"{AND!r} between types and {PART!r} for fragments. Give the type another name, or use the view `tags`."
        )
    return type


def join_types(types: Collection[str]) -> str:
    """The label of a span with these types; the type of a corpus that has but one may have no name."""
    return AND.join(sorted(set(types))) if types else OUTSIDE


def split_label(label: str) -> List[str]:
    """The types of a span with this label."""
    return [] if label == OUTSIDE else label.split(AND)


@dataclass(frozen=True)
class SpanLabels:
    """
    The labels as tables over label numbers, for decoding and marginals.

    names : the labels, by number.
    """

    names: Tuple[str, ...]

    @property
    def background(self) -> int:
        """The number of `O`, -1 if there is none, as where spans are given."""
        return self.names.index(OUTSIDE) if OUTSIDE in self.names else -1

    @cached_property
    def types(self) -> Tuple[str, ...]:
        """The types that labels are made of, parts of entities among them."""
        return tuple(sorted({type for label in self.names for type in split_label(label)}))

    @cached_property
    def holds(self) -> np.ndarray:
        """`(labels, types)`: whether a label stands for a type, among others or alone."""
        return np.array([[type in split_label(label) for type in self.types] for label in self.names], dtype=bool)

    @cached_property
    def is_part(self) -> np.ndarray:
        """`(types,)`: whether a type is that of a fragment."""
        return np.array([type.endswith(PART) for type in self.types], dtype=bool)

    @property
    def has_parts(self) -> bool:
        return bool(self.is_part.any())
