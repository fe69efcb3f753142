"""
Finds likely label errors in training data: each fold is checked by models trained on the others.

    folds -> one or more models each -> averaged answers for unseen sentences -> suspects, most suspicious first

Relations are judged given their entities. When entities have been corrected, the relations of these sentences are
therefore judged again, given the corrected entities.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.averaged_answers import averaged
from ner_zoo.analysis.evaluated_model import EvaluatedModel
from ner_zoo.analysis.suspect_records import record_of
from ner_zoo.analysis.suspects import KINDS, LEAST_CONFIDENCE, Suspect, compared, judged
from ner_zoo.annotation import Sentence
from ner_zoo.workbench.corrections import REPLACE, Change, corrected
from ner_zoo.workbench.folds import TrainingData

logger = logging.getLogger(__name__)

# Models that give annotations a lower mean probability than this do not correct them.
LEAST_AGREEMENT = 0.1


@dataclass(frozen=True)
class Judges:
    """
    folds : the fold of each sentence.
    archives : for each fold, the models that were trained on all others.
    report : called with a line of progress after each fold.
    """

    folds: Sequence[int]
    archives: Sequence[Sequence[Path]]
    cuda_device: int = -1
    report: Callable[[str], None] = logger.info

    def judge(self, sentences: Sequence[Sentence], numbers: Collection[int]) -> Iterator[tuple[int, Answers, Answer]]:
        """The averaged answers for the sentences with these numbers, by the models that have not seen them."""
        for fold, models in enumerate(self.archives):
            own = [number for number in numbers if self.folds[number] == fold]
            if own:
                unseen = [sentences[number] for number in own]
                some = averaged([EvaluatedModel.load(str(one), self.cuda_device).answers(unseen) for one in models])
                # The models of each fold number labels in their own way.
                yield from ((number, some, answer) for number, answer in zip(own, some.each))
                self.report(f"[{fold + 1}/{len(self.archives)}] {len(own):,} sentences of fold {fold + 1} checked")


@dataclass(frozen=True)
class Cleaning:
    """
    data : the data to clean. judges : the models of all folds.
    answers : for each sentence, by the models that have not seen it.
    compared : every annotation, and everything that may be missing, most suspicious first; `sentence` is the index in
        the data.
    kind : registered name of the models.
    """

    data: TrainingData
    judges: Judges
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

    def agreement(self, is_relation: bool) -> float:
        """The mean probability of the annotated entities or relations; 1 if there are none."""
        known = [one.gold_probability for one in self.compared if one.gold and one.is_relation == is_relation]
        return sum(known) / len(known) if known else 1.0

    def doubts(self) -> list[str]:
        """What the models have learned too little of to judge it, in words."""
        return [
            f"The models give the annotated {name} a mean probability of {self.agreement(is_relation):.1%}. They have "
            f"learned too little to judge them. Train longer, on more data or with a better model."
            for name, is_relation in (("entities", False), ("relations", True))
            if self.agreement(is_relation) < LEAST_AGREEMENT
        ]

    def corrected(
        self, action: str, above: float, kinds: Collection[str] = KINDS
    ) -> tuple[list[Sentence], list[Change]]:
        """The data with the suspects of these kinds and at least this confidence applied, and a log, by sentence."""
        if self.agreement(is_relation=False) < LEAST_AGREEMENT:
            raise ConfigurationError(f"Nothing was corrected. {self.doubts()[0]}")
        entities = [one for one in self.suspects if one.kind in kinds and not one.is_relation]
        sentences, log = corrected(self.data.sentences, entities, action, above)
        if self.agreement(is_relation=True) < LEAST_AGREEMENT:
            return sentences, log
        relations = [one for one in self.suspects if one.is_relation]
        if action == REPLACE:
            relations = self.relations_given(sentences)
        sentences, more = corrected(sentences, [one for one in relations if one.kind in kinds], action, above)
        return sentences, sorted([*log, *more], key=lambda change: change.suspect.sentence)

    def relations_given(self, sentences: Sequence[Sentence]) -> list[Suspect]:
        """The suspicious relations after entities have been corrected. sentences : the data, with other entities."""
        if not any(one.is_relation for one in self.compared):
            return []
        pairs = enumerate(zip(self.data.sentences, sentences, strict=True))
        changed = {number for number, (old, new) in pairs if old.entities != new.entities}
        found = [one for one in self.compared if one.sentence not in changed]
        for number, answers, answer in self.judges.judge(sentences, sorted(changed)):
            found += compared(answers, answer, number)
        return judged([one for one in found if one.is_relation])


def clean(data: TrainingData, judges: Judges) -> Cleaning:
    answers: list[Answer] = [Answer(sentence) for sentence in data.sentences]
    found: list[Suspect] = []
    kind = ""
    for number, some, answer in judges.judge(data.sentences, range(len(data.sentences))):
        kind = some.kind
        answers[number] = answer
        found += compared(some, answer, number)
    return Cleaning(data, judges, answers, judged(found, least=0.0), kind)
