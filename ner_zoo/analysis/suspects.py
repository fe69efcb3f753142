"""
Finds places where the annotation, not the model, may be wrong.

    missing     nothing in gold, but the model finds an entity or a relation
    spurious    an annotation in gold, but the model finds nothing there
    type        gold and model have different types on the same tokens; for relations, another type or direction
    boundary    the model has an entity on other tokens that overlap the gold entity

Each has the exact probability of the gold annotation and of the model's proposal: for an entity, that exactly these
tokens are one of this type; for nothing, that none of the tokens is in an entity; for a relation, that the pair is so
related given its entities.

A model assigns rare types lower probabilities than frequent ones, right or wrong. Therefore the confidence that gold is
wrong compares how probable each side is relative to its type, and is 1/2 if both are equally so:

    confidence = p / (p + g)        p = P(proposal) / usual(its type)        g = P(gold) / usual(its type)

usual(type) is the mean probability of gold annotations of that type; it is 1 for nothing, or the mean for pairs. This
is the threshold of confident learning (Northcutt et al., 2021), applied to whole entities and relations. The labels
of a pair are mutually exclusive, so for relations P(proposal) is 1 - P(gold), the probability of all other labels; the
most probable one is proposed.

Annotations that a model cannot represent say nothing about the annotation and are left out, as are tokens without
annotation.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.errors import shared, tokens_of
from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.pair_labels import NONE, relation_of

MISSING, SPURIOUS, TYPE, BOUNDARY = KINDS = ("missing", "spurious", "type", "boundary")
# Lower values are not worth a look: the annotation is as likely right as wrong.
LEAST_CONFIDENCE = 0.5
ROUNDING = 1e-6
# Pseudo-count of annotations with average probability, for types with few annotations.
PRIOR = 5


@dataclass(frozen=True)
class Suspect:
    """
    sentence : index of the sentence.
    kind : one of `KINDS`.
    gold, proposal : the annotation, and what the model would predict; `None` for nothing.
    gold_probability, proposal_probability : their probabilities.
    incompatible_gold : gold entities that cannot be right if the proposal is.
    confidence : confidence that gold is wrong; see `judged`.
    """

    sentence: int
    kind: str
    gold: Entity | Relation | None
    proposal: Entity | Relation | None
    gold_probability: float
    proposal_probability: float
    incompatible_gold: tuple[Entity, ...] = ()
    confidence: float = 0.0

    @property
    def is_relation(self) -> bool:
        return isinstance(self.gold or self.proposal, Relation)


def suspects(answers: Answers, least: float = LEAST_CONFIDENCE) -> list[Suspect]:
    """The suspects in all sentences that one model has evaluated, most suspicious first."""
    found = [one for number, answer in enumerate(answers.each) for one in compared(answers, answer, number)]
    return judged(found, least)


def judged(found: Sequence[Suspect], least: float = LEAST_CONFIDENCE) -> list[Suspect]:
    """Everything that was compared, with the confidence that gold is wrong, most suspicious first."""
    kept = []
    for is_relation in (False, True):
        some = [one for one in found if one.is_relation == is_relation]
        usual = usual_probabilities(some)
        for one in some:
            instead = 1.0 - one.gold_probability if is_relation else one.proposal_probability
            proposal = max(instead, 0.0) / usual[_type(one.proposal)]
            gold = one.gold_probability / usual[_type(one.gold)]
            # Smallest value that distinguishes 0 against 0 from certainty.
            kept.append(replace(one, confidence=proposal / max(proposal + gold, ROUNDING)))
    kept = [one for one in kept if one.confidence >= least]
    return sorted(kept, key=lambda one: (-one.confidence, one.sentence))


def usual_probabilities(found: Sequence[Suspect]) -> defaultdict[str | None, float]:
    """
    The mean probability of gold annotations by type, and by `None` for nothing. Unknown types get the overall
    mean.
    """
    known = [one for one in found if one.gold is not None]
    mean = (sum(one.gold_probability for one in known) + ROUNDING) / (len(known) + ROUNDING) if known else 1.0
    usual: defaultdict[str | None, float] = defaultdict(lambda: mean)
    by_type: defaultdict[str | None, list[float]] = defaultdict(list)
    for one in found:
        by_type[_type(one.gold)].append(one.gold_probability)
    for type, values in by_type.items():
        usual[type] = (sum(values) + PRIOR * mean) / (len(values) + PRIOR)
    # For entities, "nothing" is only examined where one may be missing; most of the rest is certain.
    if not any(one.is_relation for one in found):
        usual[None] = 1.0
    return usual


def _type(one: Entity | Relation | None) -> str | None:
    return one.type if one is not None else None


def compared(answers: Answers, answer: Answer, number: int) -> Iterator[Suspect]:
    """The comparisons of one sentence."""
    unknown = set(answer.sentence.unknown)
    gold = {
        entity: answers.probability(answer, entity)
        for entity in answer.sentence.entities
        if entity not in answer.out_of_reach
    }
    likely = {
        entity: probability
        for entity, probability in answer.likely.items()
        if entity not in answer.sentence.entities and not unknown & tokens_of(entity)
    }
    excluded = {entity: incompatible(entity, probability, gold) for entity, probability in likely.items()}
    for entity, probability in gold.items():
        yield _doubted(entity, probability, likely, excluded, answer, number)
    yield from _missing({one: p for one, p in likely.items() if not excluded[one]}, answer, number)
    yield from _relations(answers, answer, number)


def incompatible(entity: Entity, probability: float, others: dict[Entity, float]) -> tuple[Entity, ...]:
    """The other entities that it overlaps and excludes; if entities can be nested, both can be probable."""
    return tuple(
        other
        for other, other_probability in others.items()
        if probability + other_probability <= 1.0 + ROUNDING and shared(entity, other)
    )


def _doubted(
    entity: Entity,
    probability: float,
    likely: dict[Entity, float],
    excluded: dict[Entity, tuple[Entity, ...]],
    answer: Answer,
    number: int,
) -> Suspect:
    """Compares a gold entity with the best alternative."""
    options: list[tuple[float, Entity | None]] = [(answer.nothing.get(entity.fragments, 0.0), None)]
    options += [(likely[one], one) for one in likely if entity in excluded[one]]
    best, proposal = max(options, key=lambda option: option[0])
    kind = SPURIOUS
    if proposal is not None:
        kind = TYPE if proposal.fragments == entity.fragments else BOUNDARY
    return Suspect(number, kind, entity, proposal, probability, best, excluded[proposal] if proposal else ())


def _missing(likely: dict[Entity, float], answer: Answer, number: int) -> Iterator[Suspect]:
    """Entities where gold has nothing; of mutually exclusive ones, the most probable."""
    taken: dict[Entity, float] = {}
    for entity, probability in sorted(likely.items(), key=lambda pair: -pair[1]):
        if not incompatible(entity, probability, taken):
            taken[entity] = probability
            yield Suspect(number, MISSING, None, entity, answer.nothing[entity.fragments], probability)


def _relations(answers: Answers, answer: Answer, number: int) -> Iterator[Suspect]:
    """Compares each pair of gold entities, in text order."""
    related = {(one.head, one.tail): one for one in answer.sentence.relations}
    for (first, second), probabilities in answer.pairs.items():
        gold = related.get((first, second)) or related.get((second, first))
        options = {
            None if name == NONE else relation_of(name, first, second): float(probability)
            for name, probability in zip(answers.pair_names, probabilities)
        }
        gold_probability = options.pop(gold, 0.0)
        proposal = max(options, key=lambda one: options[one])
        kind = MISSING if gold is None else SPURIOUS if proposal is None else TYPE
        yield Suspect(number, kind, gold, proposal, gold_probability, options[proposal])
