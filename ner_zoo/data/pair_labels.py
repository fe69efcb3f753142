"""
Labels of pairs of entities. The direction is in the label: of two entities in text order, `R-->` goes from the first to
the second and `R<--` back.
"""

from ner_zoo.annotation import Entity, Relation

NONE = "NONE"
FORWARD, BACKWARD = "-->", "<--"


def relation_of(label: str, first: Entity, second: Entity) -> Relation:
    """What a label other than `NONE` says of two entities in text order."""
    head, tail = (first, second) if label.endswith(FORWARD) else (second, first)
    return Relation(label[: -len(FORWARD)], head, tail)
