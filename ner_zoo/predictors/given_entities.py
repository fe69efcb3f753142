"""
Given entities: the model predicts the relations between exactly the entities in the input.

    {"text": "Ada lived in London.", "entities": [{"type": "PER", "start": 0, "end": 3}, …]}

Offsets count characters of the text, or tokens if the input is `tokens`. An output of the predictor can be used as
input. Relations are conditioned on the given entities as the tagging, so each has probability 1.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral
from typing import Any

from ner_zoo.annotation import Entity, Sentence, Span
from ner_zoo.labels.abilities import Abilities
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.document import input_key, token_places

FORMS = '{"type": "PER", "start": 0, "end": 3} or [0, 3, "PER"]'


@dataclass(frozen=True)
class SentenceWithEntities(Sentence):
    """given : the entities to predict relations for, in text order."""

    given: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class GivenEntity:
    """number : index in the input. start, end : half-open, in characters or tokens. name : for messages."""

    number: int
    type: str
    start: int
    end: int
    name: str


def given_in(sentence: Sentence) -> tuple[Entity, ...] | None:
    """The given entities of a sentence, if any."""
    return sentence.given if isinstance(sentence, SentenceWithEntities) else None


def check_relations(labels: Abilities) -> None:
    """Refuses given entities if the model does not predict relations."""
    if not labels.has_relations:
        raise ConfigurationError(
            "Entities were given, but this model does not predict relations. Remove entities, or use a model with "
            "relations such as `joint_relation`."
        )


def with_given(
    sentences: Iterable[Sentence], inputs: Mapping[str, Any], labels: Abilities, top_k: int = 0
) -> Iterator[Sentence]:
    """The sentences of an input that has `entities`, each with its own."""
    check_relations(labels)
    if top_k:
        raise ConfigurationError(
            f"top_k is {top_k}, but there is only one tagging if entities are given. Remove top_k."
        )
    key = input_key(inputs)
    rest = deque(read_entities(inputs["entities"], inputs[key], labels.types))
    for sentence in sentences:
        places = _places(sentence, in_tokens=key == "tokens")
        inside = []
        while rest and places and rest[0].start < places[-1][1]:
            inside.append(rest.popleft())
        found = tuple(_in_tokens(entity, sentence, places) for entity in inside)
        odd = labels.first_unholdable(found, len(sentence.tokens))
        if odd is not None:
            raise ConfigurationError(
                f"{inside[found.index(odd)].name}: the model's tags cannot mark {odd.width} tokens as {odd.type} here "
                f"because its training data has no such entity. Remove the entity, or train on data that has one."
            )
        fields = {**vars(sentence), "given": found}
        yield SentenceWithEntities(**fields)
    if rest:
        raise ConfigurationError(f"{rest[0].name} contains no token.")


def read_entities(value: Any, source: str | Sequence[str], types: Sequence[str]) -> list[GivenEntity]:
    """
    The checked `entities` of an input, in text order.

    source : the text or the tokens that offsets refer to.
    types : the entity types of the model.
    """
    if not isinstance(value, (list, tuple)):
        raise ConfigurationError(f'"entities" must be a list of entities such as {FORMS}, but this is {value!r:.80}.')
    entities = sorted((_read(*one, source) for one in enumerate(value)), key=lambda one: (one.start, one.end))
    for entity in entities:
        if entity.type not in types:
            raise ConfigurationError(f"{entity.name}: the model has no such type. Use one of {', '.join(types)}.")
    for before, after in pairwise(entities):
        if before.end > after.start:
            other = before.name[0].lower() + before.name[1:]
            raise ConfigurationError(f"{after.name} overlaps {other}. Pass entities that do not overlap.")
    return entities


def _read(number: int, value: Any, source: str | Sequence[str]) -> GivenEntity:
    start, end, type = _parts(number, value)
    unit = "character" if isinstance(source, str) else "token"
    inside = source[max(start, 0) : max(end, 0)]
    text = inside if isinstance(inside, str) else " ".join(inside)
    name = f"Entity {number} of the input, {text!r:.60} ({type:.40}, {start} to {end})"
    if not 0 <= start < end <= len(source):
        raise ConfigurationError(
            f"{name}: the input has {len(source)} {unit}s. Offsets must be half-open and count {unit}s of the input, "
            f"with start at least 0 and end after start."
        )
    claimed = value.get("text") if isinstance(value, dict) else None
    if claimed is not None and claimed != text:
        raise ConfigurationError(
            f"{name}: the text given for it is {claimed!r:.60}. Check that its offsets refer to this text and count "
            f"{unit}s."
        )
    return GivenEntity(number, type, start, end, name)


def _parts(number: int, value: Any) -> tuple[int, int, str]:
    """Start, end and type of an entity, given as a JSON object or list."""
    parts: Any = value
    if isinstance(value, dict):
        if len(value.get("fragments") or ()) > 1:
            raise ConfigurationError(
                f"Entity {number} of the input, {value!r:.120}, has several fragments, but this model's tags cannot "
                f"represent discontinuous entities. Remove it, or pass one of its fragments."
            )
        parts = [value.get(key) for key in ("start", "end", "type")]
    is_right = isinstance(parts, (list, tuple)) and len(parts) == 3 and isinstance(parts[2], str)
    if not is_right or any(isinstance(one, bool) or not isinstance(one, Integral) for one in parts[:2]):
        raise ConfigurationError(f"Entity {number} of the input is {value!r:.120}. Expected {FORMS}.")
    return int(parts[0]), int(parts[1]), parts[2]


def _places(sentence: Sentence, in_tokens: bool) -> list[Span]:
    """The spans of the sentence's tokens, in the units of the offsets."""
    if in_tokens:
        return [(number, number + 1) for number in range(len(sentence.tokens))]
    return token_places(sentence)


def _in_tokens(entity: GivenEntity, sentence: Sentence, places: Sequence[Span]) -> Entity:
    first = next((number for number, (start, _) in enumerate(places) if start == entity.start), None)
    last = next((number for number, (_, end) in enumerate(places) if end == entity.end), None)
    if first is not None and last is not None:
        return Entity.of(entity.type, first, last + 1)
    if entity.end > places[-1][1]:
        raise ConfigurationError(
            f"{entity.name} extends beyond the end of its sentence, as split by this model. Pass the sentence as "
            f'"tokens", with offsets that count tokens.'
        )
    touched = [
        token for token, (start, end) in zip(sentence.tokens, places) if start < entity.end and entity.start < end
    ]
    raise ConfigurationError(
        f"{entity.name} does not start and end at token boundaries; the tokens there are {touched!r:.120}. Adjust its "
        f'offsets, or pass the sentence as "tokens", with offsets that count tokens.'
    )
