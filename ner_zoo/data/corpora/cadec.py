"""
CADEC, forum posts about medicines, with discontinuous entities, in two forms, distinguished by file extension.

    text/*.txt + original/*.ann    published by CSIRO
    *.json                         prepared by W2NER, tokenised and with one type: see `index_json`
"""

import os
from collections.abc import Iterator

from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.index_json import sentence_of_indices
from ner_zoo.data.corpora.json_lines import objects
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.standoff import Standoff
from ner_zoo.data.repairs import Repairs


@Corpus.register("cadec")
class Cadec(Standoff):
    """The tokenizer and the sentence splitter apply to CSIRO's form."""

    patterns: tuple = ("*.ann", "*.json")

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        is_ours = sample.every(lambda record: isinstance(record.get("sentence"), list) and "ner" in record)
        return 'its records have "sentence" and "ner", as in W2NER' if is_ours else None

    @overrides
    def files(self, path: str) -> list[str]:
        if all(map(_is_json, files := Corpus.files(self, path))):
            return files
        found = super().files(path)
        # The neighbouring folders contain the same documents with codes as types.
        return [file for file in found if os.path.basename(os.path.dirname(file)) == "original"] or found

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        if not _is_json(file):
            yield from super().sentences(file, repairs)
            return
        for source, record in objects(file, repairs, self.encoding):
            sentence = sentence_of_indices(record, repairs, source)
            if sentence.tokens:
                yield sentence
            else:
                repairs.add("sentence without words left out", source)


def _is_json(file: str) -> bool:
    return file.removesuffix(".gz").endswith(".json")
