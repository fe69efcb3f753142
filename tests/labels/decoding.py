"""Annotations from labels, for tests that have labels and no structure."""

from ner_zoo.data.pair_labels import NONE, relation_of
from ner_zoo.structures.chunks import chunks_of


def entities_of(labels, tags, mask):
    """The entities of each row of tags `(rows, positions)`."""
    chunks = chunks_of(tags, mask, labels.rules)
    return [[entity for entity, _ in row] for row in labels.entities(None, chunks, len(tags), with_marginals=False)]


def relations_from_pairs(entities, labels):
    """The relations of one sentence, from its entities in text order and the labels of their pairs."""
    return [relation_of(label, entities[i], entities[j]) for (i, j), label in labels.items() if label != NONE]
