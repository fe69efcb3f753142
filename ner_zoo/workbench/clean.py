"""
Finds likely label errors in training data: each fold is checked by a model trained on the others.

    folds -> one model each -> answers for unseen sentences -> suspects, most suspicious first
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ner_zoo.analysis.answers import Answer
from ner_zoo.analysis.evaluated_model import EvaluatedModel
from ner_zoo.analysis.suspect_records import record_of
from ner_zoo.analysis.suspects import LEAST_CONFIDENCE, Suspect, compared, judged
from ner_zoo.workbench.folds import TrainingData

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Cleaning:
    """
    data : the data to clean. folds : the fold of each sentence.
    answers : for each sentence, by the model that has not seen it.
    compared : every annotation, and everything that may be missing, most suspicious first; `sentence` is the index in
        the data.
    kind : registered name of the models.
    """

    data: TrainingData
    folds: Sequence[int]
    answers: list[Answer]
    compared: list[Suspect]
    kind: str

    @property
    def suspects(self) -> list[Suspect]:
        """Where the models consider something else more probable."""
        return [one for one in self.compared if one.confidence >= LEAST_CONFIDENCE]

    def records(self) -> list[dict[str, Any]]:
        """The suspects as records of `clean.jsonl`."""
        return [record_of(one, self.answers[one.sentence]) for one in self.suspects]


def clean(
    data: TrainingData,
    folds: Sequence[int],
    archives: Sequence[Path],
    cuda_device: int = -1,
    report: Callable[[str], None] = logger.info,
) -> Cleaning:
    """archives : for each fold, the model that was trained on all others. report : is told how far it is."""
    answers: list[Answer] = [Answer(sentence) for sentence in data.sentences]
    found: list[Suspect] = []
    kind = ""
    for fold, archive in enumerate(archives):
        model = EvaluatedModel.load(str(archive), cuda_device)
        kind = model.kind
        numbers = [number for number, own in enumerate(folds) if own == fold]
        some = model.answers([data.sentences[number] for number in numbers])
        # Each model numbers labels in its own way: convert to the numbering of this one.
        for number, answer in zip(numbers, some.each):
            answers[number] = answer
            found += compared(some, answer, number)
        report(f"[{fold + 1}/{len(archives)}] {len(numbers):,} sentences judged by the model of fold {fold + 1}")
    return Cleaning(data, folds, answers, judged(found, least=0.0), kind)
