"""
doccano's JSON lines: [start, end, type] as "label", or entities and relations with ids for a project with relations.

doccano has no field for scores; it displays other fields, such as the model's name, next to the text.
"""

from collections.abc import Iterable
from itertools import chain, count, islice
from typing import Any

from overrides import overrides

from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.spans import characters
from ner_zoo.data.writers.writer import Writer

LOOKED_AT = 1000


@Writer.register("doccano")
class DoccanoWriter(JsonWriter):
    """
    relations : whether to write relations, for a project with relations (default: if the first sentences have any).
    """

    def __init__(self, relations: bool | None = None) -> None:
        self.relations = relations
        self._ids = count(1)

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        rest = iter(sentences)
        first = list(islice(rest, LOOKED_AT))
        has_relations = any(scored.sentence.relations for scored in first)
        self.holds_relations = has_relations if self.relations is None else self.relations
        super().write(chain(first, rest), path, left_out)

    @overrides
    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        text, entities = characters(scored.sentence)
        about = {"model": scored.model, "score": scored.score} if scored.is_predicted else {}
        record: dict[str, Any] = {"id": number, **scored.fields, **about, "text": text}
        if not self.holds_relations:
            return {**record, "label": [[start, end, entity.type] for entity, start, end in entities]}
        ids = {entity: next(self._ids) for entity, _, _ in entities}
        record["entities"] = [
            {"id": ids[entity], "label": entity.type, "start_offset": start, "end_offset": end}
            for entity, start, end in entities
        ]
        record["relations"] = [
            {"id": next(self._ids), "from_id": ids[relation.head], "to_id": ids[relation.tail], "type": relation.type}
            for relation in scored.sentence.relations
        ]
        return record
