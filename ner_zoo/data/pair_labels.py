"""
Labels of entity pairs. The label includes the direction: for two entities in text order, `R-->` points from the first
to the second, and `R<--` back.
"""

from ner_zoo.annotation import Entity, Relation

NONE = "NONE"
FORWARD, BACKWARD = "-->", "<--"


def relation_of(label: str, first: Entity, second: Entity) -> Relation:
    """The relation that a label other than `NONE` describes between two entities in text order."""
    head, tail = (first, second) if label.endswith(FORWARD) else (second, first)
    return Relation(label[: -len(FORWARD)], head, tail)
