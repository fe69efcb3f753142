"""
Tasks for Label Studio: annotations, or pre-annotations with the model's name and scores for predictions.

The project's labelling config must contain `<Labels name="label" toName="text">` and `<Text name="text"
value="$text"/>`.
"""

from typing import Any

from overrides import overrides

from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.spans import characters
from ner_zoo.data.writers.writer import Writer


@Writer.register("label_studio")
class LabelStudioWriter(JsonWriter):
    """from_name, to_name : names of the Labels and the Text in the project's labelling config."""

    is_list = True
    holds_relations = True

    def __init__(self, from_name: str = "label", to_name: str = "text") -> None:
        self.from_name = from_name
        self.to_name = to_name

    @overrides
    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        text, _ = characters(scored.sentence)
        record: dict[str, Any] = {"id": number, "data": {**scored.fields, "text": text}}
        results = self._results(scored)
        if scored.is_predicted:
            score = {} if scored.score is None else {"score": scored.score}
            record["predictions"] = [{"model_version": scored.model, **score, "result": results}]
        else:
            record["annotations"] = [{"result": results}]
        return record

    def _results(self, scored: ScoredSentence) -> list[dict[str, Any]]:
        text, entities = characters(scored.sentence)
        keys = {entity: f"e{place}" for place, (entity, _, _) in enumerate(entities)}
        results: list[dict[str, Any]] = []
        for entity, start, end in entities:
            value = {"start": start, "end": end, "text": text[start:end], "labels": [entity.type]}
            result = {"id": keys[entity], "type": "labels", "from_name": self.from_name, "to_name": self.to_name}
            score = {"score": scored.entity_scores[entity]} if entity in scored.entity_scores else {}
            results.append({**result, "value": value, **score})
        for relation in scored.sentence.relations:
            ends = {"from_id": keys[relation.head], "to_id": keys[relation.tail]}
            results.append({"type": "relation", **ends, "direction": "right", "labels": [relation.type]})
        return results
