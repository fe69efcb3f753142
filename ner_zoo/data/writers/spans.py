"""
Where entities are in the text of a sentence, for formats that count characters.
"""

from ner_zoo.annotation import Entity, Sentence


def characters(sentence: Sentence) -> tuple[str, list[tuple[Entity, int, int]]]:
    """The text, and the contiguous entities with their first character and the one after their last."""
    text, offsets = sentence.characters()
    return text, [(entity, offsets[entity.start][0], offsets[entity.end - 1][1]) for entity in sentence.entities]
