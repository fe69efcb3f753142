"""
Builds an `Analysis` from a model's answers on a file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ner_zoo.analysis.analysis import CORRECT, ENTITY_OUTCOMES, RELATION_OUTCOMES, Analysis, Breakdown, Errors
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.breakdown import SeenForms, entity_breakdowns, relation_breakdowns
from ner_zoo.analysis.calibration import entity_calibration
from ner_zoo.analysis.errors import Outcome, confusion, entity_outcomes, relation_outcomes
from ner_zoo.analysis.findings import findings
from ner_zoo.analysis.label_probabilities import discrepancy, label_probabilities
from ner_zoo.analysis.loss_curve import loss_curve
from ner_zoo.analysis.mentions import any_mention, place_of
from ner_zoo.analysis.rivals import rival
from ner_zoo.analysis.scores import entity_scores, relation_scores
from ner_zoo.analysis.suspect_records import suspect_records
from ner_zoo.analysis.worst import worst_sentences
from ner_zoo.annotation import Relation


def analyse(
    answers: Answers,
    file: str,
    seen: SeenForms | None = None,
    why_unknown: str = "The training data is unknown.",
    other: Answers | None = None,
    validation_metric: str = "entity_f1",
) -> Analysis:
    """
    answers : of the model. other : of the second model, on the same sentences.
    seen : the surface forms of the training data; `None` with the reason `why_unknown`.
    """
    labels = label_probabilities(answers)
    analysis = Analysis(
        model=answers.model,
        kind=answers.kind,
        file=file,
        sentences=len(answers.each),
        tokens=sum(len(one.sentence.tokens) for one in answers.each),
        out_of_reach=sum(len(one.out_of_reach) for one in answers.each),
        entities=entity_scores(answers.each),
        relations=relation_scores(answers.each) if answers.has_relations else None,
        errors=entity_errors(answers, seen, why_unknown),
        relation_errors=relation_errors(answers) if answers.has_relations else None,
        calibration=entity_calibration(answers.each),
        tempered=None,
        noise=suspect_records(answers),
        worst=worst_sentences(answers),
        label_probabilities=labels,
        discrepancy=discrepancy(labels),
        loss_curve=loss_curve(Path(answers.model), validation_metric),
        spans_are_given=answers.spans_are_given,
    )
    if other is not None:
        analysis.rival = rival(answers, other, entity_errors(other, seen, why_unknown), entity_calibration(other.each))
    analysis.findings = findings(analysis)
    return analysis


def entity_errors(answers: Answers, seen: SeenForms | None, why_unknown: str = "") -> Errors:
    outcomes = [entity_outcomes(one.sentence.entities, one.entities) for one in answers.each]
    breakdowns = entity_breakdowns(answers.each, outcomes, seen, why_unknown)
    return _errors(answers, outcomes, ENTITY_OUTCOMES, breakdowns)


def relation_errors(answers: Answers) -> Errors:
    outcomes = [relation_outcomes(one.sentence.relations, one.relations) for one in answers.each]
    return _errors(answers, outcomes, RELATION_OUTCOMES, relation_breakdowns(answers.each, outcomes))


def _errors(
    answers: Answers, outcomes: Sequence[Sequence[Outcome]], names: tuple[str, ...], breakdowns: list[Breakdown]
) -> Errors:
    flat = [one for some in outcomes for one in some]
    # Every breakdown sums to the totals.
    gold, predicted = breakdowns[0].gold.sum(0), breakdowns[0].predicted.sum(0)
    types, matrix = confusion(flat)
    examples = [
        _error(answers, answer, number, one)
        for number, (answer, some) in enumerate(zip(answers.each, outcomes))
        for one in some
        if one.name != CORRECT
    ]
    return Errors(names, gold, predicted, breakdowns, matrix, types, examples)


def _error(answers: Answers, answer: Answer, number: int, one: Outcome) -> dict[str, Any]:
    is_relation = isinstance(one.gold or one.predicted, Relation)
    scores: Mapping[Any, float] = answer.relations if is_relation else answer.entities
    gold_score = answers.probability(answer, one.gold) if one.gold and not is_relation else None
    return {
        "kind": "relation" if is_relation else "entity",
        "class": one.name,
        "gold": any_mention(answer.sentence, one.gold, gold_score),
        "predicted": any_mention(answer.sentence, one.predicted, scores.get(one.predicted)),
        **place_of(answer.sentence, number),
    }
