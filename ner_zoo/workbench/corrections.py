"""
Applies suspects to the corpus: marks them as unknown, or replaces them by the models' proposals.

    unknown     removes gold, and makes the tokens of both sides unknown, for the loss `partial_likelihood`
    replace     removes gold, and adds the proposal

The most confident suspect of a sentence is applied first; a later one that is no longer compatible is skipped, as is
one that the corpus cannot represent, such as an unknown relation. A relation follows its entity to a new type or new
tokens, and is removed with its entity. All changes and skipped suspects are logged.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from allennlp.common.checks import ConfigurationError

from ner_zoo.analysis.errors import tokens_of
from ner_zoo.analysis.suspects import LEAST_CONFIDENCE, Suspect, incompatible
from ner_zoo.annotation import Entity, Relation, Sentence

UNKNOWN, REPLACE = ACTIONS = ("unknown", "replace")
APPLIED = "applied"


@dataclass(frozen=True)
class Change:
    """
    action : one of `ACTIONS`. outcome : `applied`, or why it was skipped. lost : relations removed with their entities.
    """

    suspect: Suspect
    action: str
    outcome: str
    lost: tuple[Relation, ...] = ()

    @property
    def is_applied(self) -> bool:
        return self.outcome == APPLIED


@dataclass
class Draft:
    """A sentence that is being corrected."""

    entities: list[Entity]
    relations: list[Relation]
    unknown: set[int]
    moved: dict[Entity, Entity | None] = field(default_factory=dict)

    def put(self, before: Entity | None, after: Entity | None) -> tuple[Relation, ...]:
        """Replaces an entity; returns the relations that are lost."""
        if before is not None:
            self.entities.remove(before)
            self.moved[before] = after
        if after is not None and after not in self.entities:
            self.entities.append(after)
        kept, lost = [], []
        for one in self.relations:
            ends = [after if end == before and before is not None else end for end in (one.head, one.tail)]
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                lost.append(one)
            else:
                kept.append(Relation(one.type, ends[0], ends[1]))
        self.relations = list(dict.fromkeys(kept))
        return tuple(lost)


def corrected(
    sentences: Sequence[Sentence], suspects: Sequence[Suspect], action: str, above: float
) -> tuple[list[Sentence], list[Change]]:
    """The sentences with all suspects of at least this confidence applied, and a log."""
    if action not in ACTIONS:
        raise ConfigurationError(f"--apply is {action!r}. Use one of {', '.join(ACTIONS)}.")
    check_threshold(above)
    by_sentence: dict[int, list[Suspect]] = defaultdict(list)
    # Entities first, because relations depend on the result.
    for one in sorted(suspects, key=lambda one: (one.is_relation, -one.confidence)):
        if one.confidence >= above:
            by_sentence[one.sentence].append(one)
    found = list(sentences)
    log: list[Change] = []
    for number, some in sorted(by_sentence.items()):
        sentence = found[number]
        draft = Draft(list(sentence.entities), list(sentence.relations), set(sentence.unknown))
        fitting = _compatible([one for one in some if not one.is_relation])
        for one in some:
            log.append(_relation(draft, one, action) if one.is_relation else _entity(draft, one, action, fitting))
        entities = tuple(sorted(draft.entities, key=lambda entity: (entity.start, -entity.end, entity.type)))
        unknown = tuple(sorted(draft.unknown))
        found[number] = replace(sentence, entities=entities, relations=tuple(draft.relations), unknown=unknown)
    return found, log


def check_threshold(above: float) -> None:
    if not LEAST_CONFIDENCE <= above <= 1.0:
        raise ConfigurationError(f"--above is {above}. It is a confidence: pass a number from {LEAST_CONFIDENCE} to 1.")


def _compatible(some: Sequence[Suspect]) -> set[Suspect]:
    """
    The suspects that can be replaced together: no proposal overlaps an entity that stays or a more confident proposal.
    """
    blocked: set[Suspect] = set()
    while True:
        fitting: list[Suspect] = []
        for one in some:
            if one not in blocked and not any(_exclude(one, other) for other in fitting):
                fitting.append(one)
        replaced = {one.gold for one in fitting}
        obstructed = {one for one in fitting if not replaced.issuperset(one.incompatible_gold)}
        if not obstructed:
            return set(fitting)
        # Without these, others may fit.
        blocked |= obstructed


def _exclude(one: Suspect, other: Suspect) -> bool:
    """Whether at most one of two proposals can be right; see `incompatible`."""
    if not isinstance(one.proposal, Entity) or not isinstance(other.proposal, Entity) or one.proposal == other.proposal:
        return False
    return bool(incompatible(one.proposal, one.proposal_probability, {other.proposal: other.proposal_probability}))


def _entity(draft: Draft, suspect: Suspect, action: str, fitting: set[Suspect]) -> Change:
    gold, proposal = suspect.gold, suspect.proposal
    assert not isinstance(gold, Relation) and not isinstance(proposal, Relation)
    if gold is not None and gold not in draft.entities:
        return Change(suspect, action, "skipped: its entity has already changed")
    if action == UNKNOWN:
        lost = draft.put(gold, None)
        draft.unknown |= {token for one in (gold, proposal) if one is not None for token in tokens_of(one)}
        return Change(suspect, action, APPLIED, lost)
    if suspect not in fitting:
        return Change(suspect, action, "skipped: the proposal overlaps another entity")
    return Change(suspect, action, APPLIED, draft.put(gold, proposal))


def _relation(draft: Draft, suspect: Suspect, action: str) -> Change:
    gold, proposal = suspect.gold, suspect.proposal
    assert not isinstance(gold, Entity) and not isinstance(proposal, Entity)
    if action == UNKNOWN:
        return Change(suspect, action, "skipped: a corpus cannot represent an unknown relation")
    some = [one for one in (gold, proposal) if one is not None]
    if any(end in draft.moved for one in some for end in (one.head, one.tail)):
        return Change(suspect, action, "skipped: one of its entities has changed")
    if gold is not None:
        draft.relations.remove(gold)
    if proposal is not None:
        draft.relations.append(proposal)
    return Change(suspect, action, APPLIED)
