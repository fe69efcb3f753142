"""
Builds an `Analysis` from a model's answers on a file.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ner_zoo.analysis.analysis import ENTITY_OUTCOMES, RELATION_OUTCOMES, Analysis, Errors
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.breakdown import SeenForms, entity_breakdowns, relation_breakdowns
from ner_zoo.analysis.calibration import entity_calibration
from ner_zoo.analysis.errors import Outcome, confusion, totals
from ner_zoo.analysis.findings import findings
from ner_zoo.analysis.label_probabilities import discrepancy, label_probabilities
from ner_zoo.analysis.loss_curve import loss_curve
from ner_zoo.analysis.mentions import mention, place_of, relation_mention
from ner_zoo.analysis.rivals import rival
from ner_zoo.analysis.scores import entity_scores, relation_scores
from ner_zoo.analysis.suspect_records import suspect_records
from ner_zoo.analysis.worst import worst_sentences


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
        relation_errors=relation_errors(answers.each) if answers.has_relations else None,
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
    outcomes = [one.entity_outcomes() for one in answers.each]
    breakdowns = entity_breakdowns(answers.each, outcomes, seen, why_unknown)
    flat = [one for some in outcomes for one in some]
    gold, predicted = totals(flat, ENTITY_OUTCOMES)
    names, matrix = confusion(flat)
    examples = [
        _entity_error(answers, answer, number, one)
        for number, (answer, some) in enumerate(zip(answers.each, outcomes))
        for one in errors_of(some)
    ]
    return Errors(ENTITY_OUTCOMES, gold, predicted, breakdowns, matrix, names, examples)


def relation_errors(answers: Sequence[Answer]) -> Errors:
    outcomes = [one.relation_outcomes() for one in answers]
    flat = [one for some in outcomes for one in some]
    gold, predicted = totals(flat, RELATION_OUTCOMES)
    names, matrix = confusion(flat)
    examples = [
        _relation_error(answer, number, one)
        for number, (answer, some) in enumerate(zip(answers, outcomes))
        for one in errors_of(some)
    ]
    return Errors(RELATION_OUTCOMES, gold, predicted, relation_breakdowns(answers, outcomes), matrix, names, examples)


def errors_of(outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [one for one in outcomes if one.name != ENTITY_OUTCOMES[0]]


def _entity_error(answers: Answers, answer: Answer, number: int, one: Outcome) -> dict[str, Any]:
    sentence = answer.sentence
    gold = mention(sentence, one.gold, answers.probability(answer, one.gold)) if one.gold else None
    predicted = mention(sentence, one.predicted, answer.entities[one.predicted]) if one.predicted else None
    return {"kind": "entity", "class": one.name, "gold": gold, "predicted": predicted, **place_of(sentence, number)}


def _relation_error(answer: Answer, number: int, one: Outcome) -> dict[str, Any]:
    sentence = answer.sentence
    gold = relation_mention(sentence, one.gold) if one.gold else None
    predicted = None
    if one.predicted:
        predicted = relation_mention(sentence, one.predicted, answer.relations[one.predicted])
    return {"kind": "relation", "class": one.name, "gold": gold, "predicted": predicted, **place_of(sentence, number)}
