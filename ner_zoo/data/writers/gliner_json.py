"""
GLiNER training data: token indices with inclusive ends, and relations between indices in the list of entities.
"""

from typing import Any

from overrides import overrides

from ner_zoo.data.writers.json_records import JsonWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


@Writer.register("gliner_json")
class GlinerJsonWriter(JsonWriter):
    is_list = True
    holds_relations = True

    @overrides
    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        sentence = scored.sentence
        place = sentence.entities.index
        return {
            "tokenized_text": list(sentence.tokens),
            "ner": [[entity.start, entity.end - 1, entity.type] for entity in sentence.entities],
            "relations": [[place(r.head), place(r.tail), r.type] for r in sentence.relations],
        }
