"""Decodes labelled spans to entities step by step: the reference for the views and `ner_zoo.labels`."""

from collections.abc import Iterable, Sequence

from ner_zoo.annotation import Entity
from ner_zoo.data.fragments import Link, paths, whole
from ner_zoo.data.span_arrays import fragments_of
from ner_zoo.data.span_labels import PART, split_label


def entities_from_spans(
    spans: Sequence[Sequence[Sequence[int]]], labels: Sequence[str], links: Iterable[Link] = ()
) -> list[Entity]:
    """The entities of one sentence from its spans `(spans, fragments, 2)`, their labels, and the links between them."""
    found: list[Entity] = []
    parts: dict[str, list[int]] = {}
    named = [fragments_of(span) for span in spans]
    for place, label in enumerate(labels):
        for type in split_label(label):
            if type.endswith(PART):
                parts.setdefault(type, []).append(place)
            else:
                found.append(Entity(type, named[place]))
    links = [(before, behind) for before, behind in links]
    for type, places in parts.items():
        found += [whole(type, path, named) for path in paths(places, links)]
    return found
