"""
The sentences with the worst predictions: gold compared with predicted.
"""

from math import exp, log
from typing import Any

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.mentions import as_prediction

MOST = 30
# Smallest probability to take the logarithm of.
FLOOR = 1e-12


def worst_sentences(answers: Answers, most: int = MOST) -> list[dict[str, Any]]:
    """
    The sentences with the lowest F1 of entities, or of entities and relations together; ties are sorted by the number
    of errors, then by the probability of gold. Sentences without errors are left out.
    """
    ranked = []
    for number, answer in enumerate(answers.each):
        f1, wrong = sentence_f1(answer, answers.has_relations)
        if wrong:
            ranked.append(((f1, -wrong, gold_probability(answers, answer)), number))
    return [_shown(answers, number, key[0], key[2]) for key, number in sorted(ranked)[:most]]


def sentence_f1(answer: Answer, has_relations: bool) -> tuple[float, int]:
    """F1 over entities and relations, 1 if there are none; and the number of missing and spurious ones."""
    gold = {*answer.sentence.entities, *(answer.sentence.relations if has_relations else ())}
    predicted = {*answer.entities, *answer.relations}
    both = len(gold & predicted)
    total = len(gold) + len(predicted)
    return (2 * both / total if total else 1.0), total - 2 * both


def gold_probability(answers: Answers, answer: Answer) -> float:
    """The geometric mean of the probabilities of the gold entities, 1 if there are none."""
    logs = [log(max(FLOOR, answers.probability(answer, entity))) for entity in answer.sentence.entities]
    return exp(sum(logs) / len(logs)) if logs else 1.0


def gold_prediction(answers: Answers, answer: Answer) -> dict[str, Any]:
    """The gold annotation, each entity with the probability that the model assigns to it."""
    entities = {entity: answers.probability(answer, entity) for entity in answer.sentence.entities}
    relations = answer.sentence.relations if answers.has_relations else ()
    return as_prediction(answer.sentence, entities, dict.fromkeys(relations, 1.0))


def _shown(answers: Answers, number: int, f1: float, probability: float) -> dict[str, Any]:
    answer = answers.each[number]
    return {
        "sentence": number,
        "source": answer.sentence.source,
        "f1": round(f1, 6),
        "gold_probability": round(probability, 6),
        "gold": gold_prediction(answers, answer),
        "predicted": as_prediction(answer.sentence, answer.entities, answer.relations),
    }
