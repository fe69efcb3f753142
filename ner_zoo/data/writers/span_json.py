"""
Spans in JSON lines for the reader `span_json`: on characters if the sentence has a text, otherwise on tokens.
"""

from typing import Any

from overrides import overrides

from ner_zoo.annotation import Entity
from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


@Writer.register("span_json")
class SpanJsonWriter(JsonWriter):
    holds_discontinuous = True
    holds_relations = True
    holds_unknown = True

    @overrides
    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        sentence = scored.sentence
        places = [(place, place + 1) for place in range(len(sentence.tokens))]
        record: dict[str, Any] = {**scored.fields}
        if sentence.text is None or sentence.offsets is None:
            record["tokens"] = list(sentence.tokens)
        else:
            places = list(sentence.offsets)
            record["text"] = sentence.text
            record["tokens"] = [
                {"text": token, "start": start, "end": end} for token, (start, end) in zip(sentence.tokens, places)
            ]
        record["entities"] = [_entity(entity, places, scored) for entity in sentence.entities]
        record["relations"] = [
            {"type": r.type, "head": sentence.entities.index(r.head), "tail": sentence.entities.index(r.tail)}
            for r in sentence.relations
        ]
        if sentence.unknown:
            record["unknown"] = [[places[place][0], places[place][1]] for place in sentence.unknown]
        return record


def _entity(entity: Entity, places: list[Any], scored: ScoredSentence) -> dict[str, Any]:
    fragments = [[places[start][0], places[end - 1][1]] for start, end in entity.fragments]
    written: dict[str, Any] = {"type": entity.type, "start": fragments[0][0], "end": fragments[-1][1]}
    if entity.is_discontinuous:
        written["fragments"] = fragments
    if entity in scored.entity_scores:
        written["score"] = scored.entity_scores[entity]
    return written
