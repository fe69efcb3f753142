"""
Base class of JSON writers: one record per sentence, as lines or as one list.
"""

import json
from collections.abc import Iterable
from typing import Any

from overrides import overrides

from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.output_file import output_file
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


class JsonWriter(Writer):
    """Subclasses define the record of a sentence."""

    # Whether to write one JSON list instead of one record per line.
    is_list = False

    def record(self, scored: ScoredSentence, number: int) -> dict[str, Any]:
        """The record of a sentence; `number` counts sentences from 1."""
        raise NotImplementedError

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        with output_file(path) as file:
            separator = "[\n" if self.is_list else ""
            for number, scored in enumerate(self.held(sentences, left_out), 1):
                file.write(separator + json.dumps(self.record(scored, number), ensure_ascii=False))
                separator = ",\n" if self.is_list else "\n"
            if self.is_list:
                file.write("\n]\n" if separator == ",\n" else "[]\n")
            elif separator:
                file.write("\n")
