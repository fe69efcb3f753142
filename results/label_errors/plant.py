"""
Plants errors of each kind in annotated sentences, with a seed.

`rate` is the share of the entities, and of the relations, for which an error is planted: a quarter of the entity errors
are of each kind, a third of the relation errors. A missing entity takes its relations with it; an entity with another
type or other tokens keeps them.
"""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ner_zoo.annotation import Entity, Relation, Sentence

ENTITY_KINDS = ("missing", "spurious", "type", "boundary")
RELATION_KINDS = ("missing", "spurious", "type")


@dataclass(frozen=True)
class Planted:
    """sentence : its index. before, after : the original and the planted annotation; one may be None."""

    sentence: int
    kind: str
    before: Entity | Relation | None
    after: Entity | Relation | None

    @property
    def is_relation(self) -> bool:
        return isinstance(self.before or self.after, Relation)

    def entities(self) -> set[Entity]:
        """The annotation that the error is about."""
        some = [one for one in (self.before, self.after) if one is not None]
        return {part for one in some for part in ((one.head, one.tail) if isinstance(one, Relation) else (one,))}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def plant(sentences: Sequence[Sentence], rate: float, seed: int) -> tuple[list[Sentence], list[Planted]]:
    draw = random.Random(seed)
    noisy, planted = _plant_entities(list(sentences), rate, draw)
    if any(one.relations for one in sentences):
        more = _plant_relations(noisy, rate, draw, {one.sentence for one in planted})
        planted += more
    return noisy, planted


def _plant_entities(
    sentences: list[Sentence], rate: float, draw: random.Random
) -> tuple[list[Sentence], list[Planted]]:
    every = [(number, entity) for number, one in enumerate(sentences) for entity in one.entities]
    types = sorted({entity.type for _, entity in every})
    count = round(rate * len(every) / len(ENTITY_KINDS))
    draw.shuffle(every)
    places = iter(every)
    planted: list[Planted] = []
    for kind in ENTITY_KINDS:
        done = 0
        while done < count:
            if kind == "spurious":
                number, model = draw.randrange(len(sentences)), draw.choice(every)[1]
                change: tuple[Entity | None, Entity | None] | None = _spurious(sentences[number], model, draw)
            else:
                number, entity = next(places)
                change = _changed(kind, sentences[number], entity, types, draw)
            if change is not None:
                before, after = change
                sentences[number] = _with(sentences[number], before, after)
                planted.append(Planted(number, kind, before, after))
                done += 1
    return sentences, planted


def _changed(
    kind: str, sentence: Sentence, entity: Entity, types: Sequence[str], draw: random.Random
) -> tuple[Entity, Entity | None] | None:
    if entity not in sentence.entities:
        return None
    if kind == "missing":
        return entity, None
    if kind == "type":
        return entity, replace(entity, type=draw.choice([one for one in types if one != entity.type]))
    others = [one for one in sentence.entities if one != entity]
    start, end = entity.start, entity.end
    moved = [(start - 1, end), (start, end + 1), (start + 1, end), (start, end - 1)]
    free = [
        (first, last)
        for first, last in moved
        if 0 <= first < last <= len(sentence.tokens)
        and not any(first < other.end and other.start < last for other in others)
    ]
    return (entity, Entity.of(entity.type, *draw.choice(free))) if free else None


def _spurious(sentence: Sentence, model: Entity, draw: random.Random) -> tuple[None, Entity] | None:
    """An entity with the type and width of another one, on words outside any entity."""
    width = model.end - model.start
    taken = {place for one in sentence.entities for place in range(one.start, one.end)}
    starts = [
        start
        for start in range(len(sentence.tokens) - width + 1)
        if not taken & set(range(start, start + width))
        and any(character.isalpha() for token in sentence.tokens[start : start + width] for character in token)
    ]
    if not starts:
        return None
    start = draw.choice(starts)
    return None, Entity.of(model.type, start, start + width)


def _with(sentence: Sentence, before: Entity | None, after: Entity | None) -> Sentence:
    entities = [one for one in sentence.entities if one != before] + ([after] if after is not None else [])
    relations = []
    for one in sentence.relations:
        head, tail = (after if end == before and before is not None else end for end in (one.head, one.tail))
        if head is not None and tail is not None:
            relations.append(Relation(one.type, head, tail))
    return replace(sentence, entities=tuple(sorted(entities, key=lambda one: one.start)), relations=tuple(relations))


def _plant_relations(sentences: list[Sentence], rate: float, draw: random.Random, avoid: set[int]) -> list[Planted]:
    """Relations whose entities are unchanged, so that only the relation is wrong."""
    every = [(n, r) for n, one in enumerate(sentences) for r in one.relations]
    types = sorted({relation.type for _, relation in every})
    count = round(rate * len(every) / len(RELATION_KINDS))
    untouched = [(n, r) for n, r in every if n not in avoid]
    draw.shuffle(untouched)
    places = iter(untouched)
    planted: list[Planted] = []
    for kind in RELATION_KINDS:
        done = 0
        while done < count:
            before: Relation | None = None
            after: Relation | None = None
            if kind == "spurious":
                number = draw.randrange(len(sentences))
                after = None if number in avoid else _unrelated(sentences[number], draw.choice(every)[1].type, draw)
                if after is None:
                    continue
            else:
                number, before = next(places)
                if before not in sentences[number].relations:
                    continue
                if kind == "type":
                    after = draw.choice(
                        [Relation(before.type, before.tail, before.head)]
                        + [replace(before, type=one) for one in types if one != before.type]
                    )
            kept = [one for one in sentences[number].relations if one != before] + ([after] if after else [])
            sentences[number] = replace(sentences[number], relations=tuple(kept))
            planted.append(Planted(number, kind, before, after))
            done += 1
    return planted


def _unrelated(sentence: Sentence, type: str, draw: random.Random) -> Relation | None:
    related = {frozenset((one.head, one.tail)) for one in sentence.relations}
    pairs = [
        (head, tail)
        for head in sentence.entities
        for tail in sentence.entities
        if head != tail and frozenset((head, tail)) not in related
    ]
    return Relation(type, *draw.choice(pairs)) if pairs else None
