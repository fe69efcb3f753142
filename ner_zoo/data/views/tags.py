"""
One tag per token. Supports contiguous, non-overlapping entities; of nested ones, the outermost.
"""

from collections.abc import Iterable

from allennlp.data.fields import Field
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import OUTSIDE, check_scheme, tags_from_entities
from ner_zoo.data.views.labels_field import LabelsField
from ner_zoo.data.views.view import View


def flat_entities(entities: Iterable[Entity], scheme: str, source: str, left_out: Repairs) -> list[Entity]:
    """The entities that one row of tags can represent, in order: wider ones win if they overlap."""
    kept: list[Entity] = []
    taken: list[tuple[int, int]] = []
    for entity in sorted(entities, key=lambda e: -e.width):
        if entity.is_discontinuous:
            left_out.add("discontinuous entity not in the tags", source)
        elif any(start < entity.end and entity.start < end for start, end in taken):
            left_out.add("entity that overlaps a wider one not in the tags", source)
        elif scheme == "IO" and any(
            k.type == entity.type and (k.end == entity.start or entity.end == k.start) for k in kept
        ):
            left_out.add("neighbour of the same type not in the IO tags", source)
        else:
            kept.append(entity)
            taken.append((entity.start, entity.end))
    return sorted(kept, key=lambda e: e.start)


@View.register("tags")
class Tags(View):
    """
    scheme : `IO`, `IOB1`, `BIO`, `BIOUL`, `BIOES` or `BMES`: tag scheme for the model, independent of the file's.
    namespace : vocabulary namespace of the tags.
    """

    def __init__(self, scheme: str = "BIOUL", namespace: str = "labels") -> None:
        self.scheme = check_scheme(scheme)
        self.namespace = namespace

    @overrides
    def labels(self, sentence: Sentence, left_out: Repairs) -> dict[str, Field]:
        length = len(sentence.tokens)
        kept = flat_entities(sentence.entities, self.scheme, sentence.source, left_out) if sentence.entities else []
        tags = tags_from_entities(kept, length, self.scheme)
        labels: dict = {(i,): tag for i, tag in enumerate(tags) if tag != OUTSIDE}
        labels.update({(i,): None for i in sentence.unknown if tags[i] == OUTSIDE})
        return {"labels": LabelsField((length,), labels, OUTSIDE, self.namespace)}
