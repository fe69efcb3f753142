"""
Relation precision, recall and F1 on decoded annotations: a relation is correct if its type, its direction and both its
entities are.

In strict mode, entities are compared by fragments and type; otherwise by fragments only. Gold comes from the sentences
themselves: a relation whose entities were not found counts as missed.
"""

from collections.abc import Iterable, Sequence

from allennlp.training.metrics import Metric
from overrides import overrides

from ner_zoo.annotation import Entity, Relation
from ner_zoo.metrics.entity_f1 import EntityF1


@Metric.register("relation_f1")
class RelationF1(EntityF1):
    """is_strict : whether entity types count; if false, the metrics are called `relation_boundaries_f1`, ..."""

    def __init__(self, is_strict: bool = True) -> None:
        super().__init__("relation" if is_strict else "relation_boundaries")
        self.is_strict = is_strict

    @overrides(check_signature=False)
    def __call__(  # type: ignore[override]
        self, predicted: Sequence[Iterable[Relation]], gold: Sequence[Iterable[Relation]]
    ) -> None:
        """Adds the relations of a batch of sentences. Duplicates count once."""
        if not self.is_strict:
            predicted, gold = ([[_untyped(relation) for relation in row] for row in side] for side in (predicted, gold))
        super().__call__(predicted, gold)  # type: ignore[arg-type]


def _untyped(relation: Relation) -> Relation:
    return Relation(relation.type, Entity("", relation.head.fragments), Entity("", relation.tail.fragments))
