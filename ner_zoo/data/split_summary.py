"""
Summary of a data split, for sanity checks.
"""

from ner_zoo.annotation import Sentence

MOSTLY = 0.5


class SplitSummary:
    """Add sentences, then read the counts."""

    def __init__(self) -> None:
        self.sentences = self.tokens = self.numbers = 0
        self.entity_types: set[str] = set()
        self.relation_types: set[str] = set()

    def add(self, sentence: Sentence) -> None:
        self.sentences += 1
        self.tokens += len(sentence.tokens)
        self.numbers += sum(token.isdecimal() for token in sentence.tokens)
        self.entity_types.update(entity.type for entity in sentence.entities)
        self.relation_types.update(relation.type for relation in sentence.relations)

    def warnings(self, name: str) -> list[str]:
        """Suspicious properties of the split, as sentences."""
        if self.tokens and self.numbers >= MOSTLY * self.tokens:
            share = round(100 * self.numbers / self.tokens)
            return [
                f"{share}% of the tokens of the {name} are numbers. Check that tokens are read from the right column."
            ]
        return []
