"""
The work of each worker of `suggest`: takes rows, and returns one short record per row for the selection.

    {"numbers": [3.1], "tokens": 12, "type": "PER", "key": "9f86d081884c7d65"}

The texts themselves are not stored: those of the selected rows are read again at the end.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Annotated, Worker, WorkerSettings
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.line import Line, read_line
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from ner_zoo.predictors.text_predictor import failing
from ner_zoo.predictors.windows import cut
from ner_zoo.workbench.uncertainty import MEASURES, Numbers, doubted_types

DIGIT = re.compile(r"\d")
Record = dict[str, Any]


class ScoringWorker(Worker):
    """by : name of the measure."""

    # Scores need the model itself, which exported models do not provide.
    predictor: NerZooPredictor

    def __init__(self, settings: WorkerSettings, by: str) -> None:
        super().__init__(settings)
        self.measure = MEASURES[by]()

    @overrides
    def __call__(self, chunk: Chunk) -> Annotated:
        given = [read_line(row, chunk.first + place) for place, row in enumerate(chunk.rows, start=1)]
        records = self.records(given)
        lines = [json.dumps(record).encode() + b"\n" for record in records]
        words = sum(record.get("tokens", 0) for record in records)
        errors = sum("error" in record for record in records)
        return Annotated(chunk.number, lines, words, errors, chunk.share, chunk.first)

    def records(self, given: Sequence[Line]) -> list[Record]:
        """One record per row; an error record for a row that cannot be used."""
        found: list[Record] = [{} for _ in given]
        documents: dict[int, Document] = {}
        for number, row in enumerate(given):
            try:
                documents[number] = self.predictor.document(row)
            except ConfigurationError as error:
                found[number] = {"error": error.message}

        def score(numbers: Sequence[int]) -> None:
            for number, record in zip(numbers, self.score([documents[number] for number in numbers])):
                found[number] = record

        for number, problem in failing(list(documents), score):
            if isinstance(problem, ConfigurationError):
                raise problem
            found[number] = {"error": f"{type(problem).__name__}: {problem}"}
        return found

    def score(self, documents: Sequence[Document]) -> list[Record]:
        pieces, owner = [], []
        for number, document in enumerate(documents):
            for sentence in document.sentences:
                for piece in cut(sentence, self.predictor.windows(sentence)):
                    pieces.append(piece)
                    owner.append(number)
        numbers: list[list[Numbers]] = [[] for _ in documents]
        doubts: list[Counter[str]] = [Counter() for _ in documents]
        types = self.predictor.labels.types
        with torch.no_grad():
            for batch, structure in self.predictor.structures(pieces):
                of_sentences = self.measure.of_sentences(self.predictor.labels, structure)
                by_type = doubted_types(self.predictor.labels, structure).tolist()
                for place, values, doubt in zip(batch, of_sentences, by_type):
                    numbers[owner[place]].append(values)
                    doubts[owner[place]].update(dict(zip(types, doubt)))
        return [self._record(*columns) for columns in zip(documents, numbers, doubts)]

    def _record(self, document: Document, numbers: list[Numbers], doubts: Counter[str]) -> Record:
        tokens = words_of(document)
        if not numbers:
            return {"tokens": 0}
        most_doubted = max(doubts, key=lambda type: (doubts[type], type), default="")
        return {
            "numbers": [round(number, 6) for number in self.measure.of_text(numbers)],
            "tokens": len(tokens),
            "type": most_doubted,
            "key": key_of(tokens),
        }


def words_of(document: Document) -> list[str]:
    return [token for sentence in document.sentences for token in sentence.tokens]


def key_of(tokens: Sequence[str]) -> str:
    """A key that is equal for texts that differ only in case, digits, spaces and punctuation."""
    letters = "".join(character for token in tokens for character in token.lower() if character.isalnum())
    plain = DIGIT.sub("0", letters) or " ".join(tokens)
    return hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
