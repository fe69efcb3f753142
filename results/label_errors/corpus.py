"""
How much closer `clean --apply` brings a corpus with planted errors to the original, without training a model.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ner_zoo.annotation import Sentence
from ner_zoo.workbench.clean import Cleaning
from ner_zoo.workbench.corrections import REPLACE, UNKNOWN

THRESHOLDS = (0.8, 0.9, 0.95, 0.98, 0.99)


def corpus_quality(original: Sequence[Sentence], cleaning: Cleaning) -> list[dict[str, Any]]:
    """A row for the noisy corpus, and one for each minimum confidence of applied suspects."""
    noisy = cleaning.data.sentences
    rows = [{"above": None, **_row(original, noisy, noisy)}]
    for above in THRESHOLDS:
        replaced, _ = cleaning.corrected(REPLACE, above)
        unknown, _ = cleaning.corrected(UNKNOWN, above)
        rows.append({"above": above, **_row(original, replaced, unknown)})
    return rows


def _row(original: Sequence[Sentence], replaced: Sequence[Sentence], unknown: Sequence[Sentence]) -> dict[str, Any]:
    return {
        "entity_f1": f1([set(one.entities) for one in original], [set(one.entities) for one in replaced]),
        "relation_f1": f1([set(one.relations) for one in original], [set(one.relations) for one in replaced]),
        "wrong_entities_left": sum(len(set(u.entities) - set(o.entities)) for o, u in zip(original, unknown)),
        "unknown_tokens": sum(len(one.unknown) for one in unknown),
    }


def f1(right: Sequence[set], found: Iterable[set]) -> float | None:
    """`None` if there is nothing to find."""
    pairs = list(zip(right, found))
    total = sum(len(one) + len(other) for one, other in pairs)
    return 2 * sum(len(one & other) for one, other in pairs) / total if total else None
