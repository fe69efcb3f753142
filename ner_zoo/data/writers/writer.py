"""
A writer streams sentences into a file of one format. It handles files, not tensors.

Annotations that the format cannot represent are left out and counted, so the counts show exactly what was lost.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from allennlp.common import Registrable

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.scored_sentence import ScoredSentence


class Writer(Registrable):
    """Base class of writers: one subclass per format, registered under the name of the matching reader."""

    registered_in = ("ner_zoo.data.writers",)

    # What the format can represent besides contiguous, non-overlapping entities.
    holds_overlapping = True
    holds_discontinuous = False
    holds_relations = False
    holds_unknown = False

    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        """Writes all sentences to `path`; what cannot be represented is added to `left_out`."""
        raise NotImplementedError

    def held(self, sentences: Iterable[ScoredSentence], left_out: Repairs) -> Iterator[ScoredSentence]:
        """The sentences, reduced to the annotation that the format can represent."""
        for scored in sentences:
            yield replace(scored, sentence=self._held(scored.sentence, left_out))

    def _held(self, sentence: Sentence, left_out: Repairs) -> Sentence:
        entities, source = sentence.entities, sentence.source
        if not self.holds_discontinuous:
            entities = tuple(entity for entity in entities if not entity.is_discontinuous)
            left_out.add("discontinuous entity left out", source, len(sentence.entities) - len(entities))
        if not self.holds_overlapping:
            flat = outermost(entities)
            left_out.add("entity that overlaps a wider one left out", source, len(entities) - len(flat))
            entities = tuple(entity for entity in entities if entity in flat)
        relations = sentence.relations
        if not self.holds_relations:
            left_out.add("relation left out", source, len(relations))
            relations = ()
        kept = tuple(r for r in relations if r.head in entities and r.tail in entities)
        left_out.add("relation of an entity that is left out", source, len(relations) - len(kept))
        if not self.holds_unknown:
            left_out.add("token without annotation written as outside", source, len(sentence.unknown))
        unknown = sentence.unknown if self.holds_unknown else ()
        return replace(sentence, entities=entities, relations=kept, unknown=unknown)


def outermost(entities: Iterable[Entity]) -> list[Entity]:
    """Non-overlapping entities: wider ones win."""
    kept: list[Entity] = []
    for entity in sorted(entities, key=lambda entity: -entity.width):
        if all(other.end <= entity.start or entity.end <= other.start for other in kept):
            kept.append(entity)
    return kept
