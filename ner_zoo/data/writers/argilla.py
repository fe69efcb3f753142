"""
Argilla 2 records with a text field and a span question: responses, or suggestions with scores for predictions.
"""

from typing import Any

from overrides import overrides

from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.spans import characters
from ner_zoo.data.writers.writer import Writer


@Writer.register("argilla")
class ArgillaWriter(JsonWriter):
    """
    question : name of the span question.
    user_id : annotator to whom responses are attributed.
    """

    is_list = True

    def __init__(self, question: str = "entities", user_id: str = "00000000-0000-0000-0000-000000000000") -> None:
        self.question = question
        self.user_id = user_id

    @overrides
    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        text, entities = characters(scored.sentence)
        spans = [{"start": start, "end": end, "label": entity.type} for entity, start, end in entities]
        suggestions: dict[str, Any] = {}
        responses: dict[str, Any] = {}
        if scored.is_predicted:
            scores = [scored.entity_scores[entity] for entity, _, _ in entities]
            suggestions[self.question] = {"value": spans, "score": scores, "agent": scored.model}
        else:
            responses[self.question] = [{"value": spans, "user_id": self.user_id}]
        return {
            "id": str(number),
            "fields": {"text": text},
            "metadata": dict(scored.fields),
            "suggestions": suggestions,
            "responses": responses,
            "vectors": {},
        }
