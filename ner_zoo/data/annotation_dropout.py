"""
Forget a share of the annotations; the words stay. For training with entities that nobody labelled.

Whether an entity is forgotten depends on the seed, the sentence's number and the entity alone, so every epoch, worker
and process forgets the same ones.
"""

import hashlib
from dataclasses import replace

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Sentence


class AnnotationDropout(FromParams):
    """
    probability : of an entity to be forgotten, with every relation it has a part in.
    seed : another seed forgets others.
    """

    def __init__(self, probability: float, seed: int = 13370) -> None:
        if not 0.0 <= probability <= 1.0:
            raise ConfigurationError(f"The probability of annotation_dropout is {probability}. Give 0 to 1.")
        self.probability = probability
        self.seed = seed

    def __call__(self, sentence: Sentence, number: int) -> Sentence:
        """What is left of `sentence`, the `number`-th of its corpus."""
        kept = tuple(e for e in sentence.entities if self._draw(e, number) >= self.probability)
        if len(kept) == len(sentence.entities):
            return sentence
        left = set(kept)
        relations = tuple(r for r in sentence.relations if r.head in left and r.tail in left)
        return replace(sentence, entities=kept, relations=relations)

    def _draw(self, entity: Entity, number: int) -> float:
        """Uniform in [0, 1)."""
        key = f"{self.seed}|{number}|{entity.type}|{entity.fragments}".encode()
        return int.from_bytes(hashlib.blake2b(key, digest_size=7).digest(), "big") / 2**56
