"""
Tags for the entities, and one label for each unordered pair of entities.

The label includes the direction, see `pair_labels`.
"""

from collections.abc import Iterable, Sequence

import torch
from allennlp.data.fields import Field, TensorField
from overrides import overrides

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.pair_labels import BACKWARD, FORWARD, NONE
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.views.labels_field import LabelsField
from ner_zoo.data.views.tags import Tags, flat_entities
from ner_zoo.data.views.view import View


@View.register("joint")
class Joint(View):
    """
    scheme, namespace : as for `tags`.
    relation_namespace : vocabulary namespace of the pair labels; unrelated pairs have the label `NONE`.
    """

    def __init__(
        self, scheme: str = "BIOUL", namespace: str = "labels", relation_namespace: str = "relation_labels"
    ) -> None:
        self.tags = Tags(scheme, namespace)
        self.relation_namespace = relation_namespace

    @overrides
    def labels(self, sentence: Sentence, left_out: Repairs) -> dict[str, Field]:
        entities = flat_entities(sentence.entities, self.tags.scheme, sentence.source, Repairs())
        spans = torch.tensor([(e.start, e.end) for e in entities], dtype=torch.long).reshape(-1, 2)
        pairs = pair_labels(entities, sentence.relations, sentence.source, left_out)
        shape = (len(entities), len(entities))
        fields = self.tags.labels(sentence, left_out)
        fields["entity_spans"] = TensorField(spans, padding_value=-1)
        fields["relation_labels"] = LabelsField(shape, pairs, NONE, self.relation_namespace)
        return fields


def pair_labels(
    entities: Sequence[Entity], relations: Iterable[Relation], source: str, left_out: Repairs
) -> dict[tuple[int, ...], str | None]:
    """The labels of the related pairs `(i, j)`, i < j, of entities in text order."""
    number = {entity: i for i, entity in enumerate(entities)}
    pairs: dict[tuple[int, ...], str | None] = {}
    for relation in relations:
        head, tail = number.get(relation.head), number.get(relation.tail)
        if head is None or tail is None:
            left_out.add("relation of an entity that is not in the tags", source)
        elif head == tail:
            left_out.add("relation of an entity with itself", source)
        elif (min(head, tail), max(head, tail)) in pairs:
            left_out.add("second relation of one pair", source)
        else:
            direction = FORWARD if head < tail else BACKWARD
            pairs[min(head, tail), max(head, tail)] = relation.type + direction
    return pairs
