"""
The labels of a span classifier, and the types they stand for.

A span has one label: `O`, a type, or several types at once (`PER + ORG`), so that one span may carry two. A fragment of
a discontinuous entity has the type with a mark (`EVENT (part)`): by itself it is no entity.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Iterable, List, Tuple

import numpy as np

from ner_zoo.data.tag_schemes import OUTSIDE

AND = " + "
PART = " (part)"


def join_types(types: Iterable[str]) -> str:
    """The label of a span with these types."""
    return AND.join(sorted(set(types))) or OUTSIDE


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
