"""
One annotated text in memory, for `ner_zoo.train`.

    Example("Ada Lovelace lived in London.", [(0, 12, "PER"), (22, 28, "LOC")], [(0, 1, "lives_in")])
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class Example:
    """
    text : the unchanged text.
    entities : `(start, end, type)`, half-open, in characters; `([(start, end), ...], type)` if discontinuous.
    relations : `(head, tail, type)`; head and tail are indices of entities, from 0.
    """

    text: str
    entities: Sequence[tuple] = ()
    relations: Sequence[tuple[int, int, str]] = ()

    def record(self) -> dict[str, Any]:
        """The example in the format of the reader `span_json`."""
        relations = [{"head": head, "tail": tail, "type": type} for head, tail, type in self.relations]
        return {"text": self.text, "entities": [_entity(one) for one in self.entities], "relations": relations}


def _entity(given: tuple) -> dict[str, Any]:
    if len(given) == 3:
        start, end, type = given
        return {"start": start, "end": end, "type": type}
    if len(given) == 2 and isinstance(given[0], (list, tuple)):
        fragments, type = given
        places = [list(fragment) for fragment in fragments]
        return {"start": places[0][0], "end": places[-1][1], "fragments": places, "type": type}
    raise ConfigurationError(f"An entity must be (start, end, type), but got {given!r}.")


def record_of(one: Any, number: int) -> dict[str, Any]:
    """
    Converts an `Example`, a spaCy `Doc`, a pair `("text", {"entities": [(0, 3, "PER")]})` as in older spaCy, or a JSON
    object for one of the readers, to a JSON object.
    """
    if isinstance(one, Example):
        return one.record()
    if isinstance(one, dict):
        return one
    if isinstance(one, (list, tuple)) and len(one) == 2 and isinstance(one[0], str) and isinstance(one[1], dict):
        return {"text": one[0], **one[1]}
    if hasattr(one, "ents") and hasattr(one, "spans"):
        return Example(one.text, _entities_of_doc(one, number)).record()
    raise ConfigurationError(
        f"Example {number} is {type(one).__name__}. Pass ner_zoo.Example objects, spaCy docs, or dicts such as rows "
        f"of a dataset with tokens and ner_tags."
    )


def _entities_of_doc(doc: Any, number: int) -> list[tuple]:
    """The entities in `doc.ents` and every group in `doc.spans`, without duplicates."""
    spans = [*doc.ents, *(span for group in doc.spans.values() for span in group)]
    unlabelled = next((span for span in spans if not span.label_), None)
    if unlabelled is not None:
        raise ConfigurationError(
            f"Example {number} has a span without a label: {unlabelled.text[:60]!r}. Add a label or remove the span."
        )
    return list(dict.fromkeys((span.start_char, span.end_char, span.label_) for span in spans))
