"""
Prodigy's JSON lines. A prediction becomes a task without an answer, with the model's name and score in `meta`.
"""

from typing import Any

from overrides import overrides

from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.spans import characters
from ner_zoo.data.writers.writer import Writer


@Writer.register("prodigy")
class ProdigyWriter(JsonWriter):
    holds_relations = True

    @overrides
    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        sentence = scored.sentence
        text, entities = characters(sentence)
        offsets = sentence.characters()[1]
        spans = {
            entity: {
                "start": start,
                "end": end,
                "token_start": entity.start,
                "token_end": entity.end - 1,
                "label": entity.type,
            }
            for entity, start, end in entities
        }
        record: dict[str, Any] = {
            "text": text,
            "tokens": [
                {"text": text[start:end], "start": start, "end": end, "id": place, "ws": text[end : end + 1] == " "}
                for place, (start, end) in enumerate(offsets)
            ],
            "spans": [{**span, **_score(scored, entity)} for entity, span in spans.items()],
            "relations": [
                {
                    "head": relation.head.end - 1,
                    "child": relation.tail.end - 1,
                    "head_span": spans[relation.head],
                    "child_span": spans[relation.tail],
                    "label": relation.type,
                }
                for relation in sentence.relations
            ],
        }
        if not scored.is_predicted:
            return {**record, "answer": "accept"}
        about = {"model": scored.model, "score": scored.score}
        return {**record, "meta": {**about, **{name: str(value) for name, value in scored.fields.items()}}}


def _score(scored: ScoredSentence, entity: Any) -> dict[str, Any]:
    return {"score": scored.entity_scores[entity], "source": scored.model} if scored.is_predicted else {}
