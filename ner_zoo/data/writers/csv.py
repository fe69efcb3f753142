"""
CSV with one row per word: sentence number, word and tag.
"""

import csv
from collections.abc import Iterable

from overrides import overrides

from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import tags_from_entities
from ner_zoo.data.writers.output_file import output_file, without
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


@Writer.register("csv")
class CsvWriter(Writer):
    holds_overlapping = False

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        with output_file(path) as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["sentence", "word", "tag"])
            for number, scored in enumerate(self.held(sentences, left_out), 1):
                sentence = scored.sentence
                tags = tags_from_entities(sentence.entities, len(sentence.tokens), "BIO")
                for token, tag in zip(sentence.tokens, tags):
                    rows.writerow(
                        [number, without("\n\r", token, sentence, left_out), without("\n\r", tag, sentence, left_out)]
                    )
