"""
A suspect as JSON, one object per line of `noise.jsonl` (from `analyze`) and `clean.jsonl` (from `clean`):

    {"kind": "type", "of": "entity", "confidence": 0.97,
     "gold": {"type": "ORG", "text": "Oda Bay", "fragments": [[9, 16]], "start": 9, "end": 16},
     "proposal": {"type": "LOC", "text": "Oda Bay", "fragments": [[9, 16]], "start": 9, "end": 16},
     "gold_probability": 0.02, "proposal_probability": 0.91, "sentence_error_probability": 0.98,
     "text": "Ann left Oda Bay", "source": "train.conll:7", "sentence": 3}

`gold` or `proposal` is null for nothing. For a relation they have a type, a head and a tail.
"""

from typing import Any

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.mentions import any_mention, place_of
from ner_zoo.analysis.suspects import Suspect, suspects
from ner_zoo.predictors.document import DECIMALS


def suspect_records(answers: Answers) -> list[dict[str, Any]]:
    """The suspects of one model on a file, most suspicious first."""
    return [record_of(one, answers.each[one.sentence]) for one in suspects(answers)]


def record_of(suspect: Suspect, answer: Answer) -> dict[str, Any]:
    probabilities = {
        "gold_probability": suspect.gold_probability,
        "proposal_probability": suspect.proposal_probability,
        "sentence_error_probability": answer.error_probability,
    }
    return {
        "kind": suspect.kind,
        "of": "relation" if suspect.is_relation else "entity",
        "confidence": round(suspect.confidence, DECIMALS),
        "gold": any_mention(answer.sentence, suspect.gold),
        "proposal": any_mention(answer.sentence, suspect.proposal),
        **{name: round(value, DECIMALS) for name, value in probabilities.items()},
        **place_of(answer.sentence, suspect.sentence),
    }
