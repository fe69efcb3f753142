"""
Drops a share of the annotations but keeps the words, to simulate training data with missing entities.

Whether an entity is dropped depends only on the seed, the number of the sentence and the entity, so every epoch, worker
and process drops the same ones.
"""

import hashlib
from dataclasses import replace

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Sentence


class AnnotationDropout(FromParams):
    """
    probability : probability that an entity is dropped, together with all of its relations.
    seed : random seed that selects the entities to drop.
    """

    def __init__(self, probability: float, seed: int = 13370) -> None:
        if not 0.0 <= probability <= 1.0:
            raise ConfigurationError(
                f"annotation_dropout.probability is {probability}. Set it to a number from 0 to 1."
            )
        self.probability = probability
        self.seed = seed

    def __call__(self, sentence: Sentence, number: int) -> Sentence:
        """The rest of `sentence`, the `number`-th of its corpus."""
        kept = tuple(e for e in sentence.entities if self._draw(e, number) >= self.probability)
        if len(kept) == len(sentence.entities):
            return sentence
        left = set(kept)
        relations = tuple(r for r in sentence.relations if r.head in left and r.tail in left)
        return replace(sentence, entities=kept, relations=relations)

    def _draw(self, entity: Entity, number: int) -> float:
        """A uniform random number in [0, 1)."""
        key = f"{self.seed}|{number}|{entity.type}|{entity.fragments}".encode()
        return int.from_bytes(hashlib.blake2b(key, digest_size=7).digest(), "big") / 2**56
