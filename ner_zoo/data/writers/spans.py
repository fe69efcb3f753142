"""
Character offsets of entities, for formats that count characters.
"""

from ner_zoo.annotation import Entity, Sentence


def characters(sentence: Sentence) -> tuple[str, list[tuple[Entity, int, int]]]:
    """The text, and the contiguous entities with half-open character offsets."""
    text, offsets = sentence.characters()
    return text, [(entity, offsets[entity.start][0], offsets[entity.end - 1][1]) for entity in sentence.entities]
