"""
Weak labels: entities from dictionaries, regular expressions and other models, instead of annotation or in addition to
it.

    "weak": {"sources": [{"type": "dictionary", "files": {"PER": "people.txt"}}, …], "uncovered": "UNKNOWN"}

If entities overlap, one is kept: those of the file itself come first, then those of the source with the higher
`priority`, then the longest, then the leftmost, then those of the source listed first. Uncovered tokens are `O`, as if
the sources were complete, or `UNKNOWN`, for losses that support it (`partial_likelihood`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data import dictionary_source, pattern_source  # noqa: F401  registers them
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak_source import WeakSource

Numbered = tuple[int, Sentence]
UNCOVERED = ("O", "UNKNOWN")
CONFLICTS = ("first", "unknown")
# Number of sentences passed to a source at once, so that a model can batch them.
AT_ONCE = 512


class Proposal(NamedTuple):
    """Sort key: the entity to keep comes first."""

    priority: float
    width: int
    start: int
    source: int
    entity: Entity


class WeakLabels(FromParams):
    """
    sources : sources of entities; without any, tokens outside the file's entities become unknown, and nothing else
        changes.
    uncovered : label of tokens without an entity: `O` or `UNKNOWN`.
    conflicts : what to do with a span that sources of equal priority give several types: use the `first`, or `unknown`.
    keep_annotation : whether to keep the entities of the file, which then take precedence; if false, they are
        discarded.
    """

    def __init__(
        self,
        sources: list[WeakSource],
        uncovered: str = "O",
        conflicts: str = "first",
        keep_annotation: bool = True,
    ) -> None:
        if not sources and uncovered == "O":
            raise ConfigurationError("weak has no sources. Set sources to a list of dictionaries, patterns or models.")
        if uncovered not in UNCOVERED:
            raise ConfigurationError(f"uncovered is {uncovered!r}. Use one of {', '.join(UNCOVERED)}.")
        if conflicts not in CONFLICTS:
            raise ConfigurationError(f"conflicts is {conflicts!r}. Use one of {', '.join(CONFLICTS)}.")
        self.sources = sources
        self.uncovered = uncovered
        self.conflicts = conflicts
        self.keep_annotation = keep_annotation

    def __call__(self, sentences: Iterable[Numbered], repairs: Repairs) -> Iterator[Numbered]:
        """Streams the sentences with their weak labels; each keeps its number."""
        stream = iter(sentences)
        while some := list(islice(stream, AT_ONCE)):
            plain = [sentence for _, sentence in some]
            found = [source.find(plain, repairs) for source in self.sources]
            for (number, sentence), *entities in zip(some, *found):
                yield number, self.labelled(sentence, entities, repairs)

    def labelled(self, sentence: Sentence, found: Sequence[Sequence[Entity]], repairs: Repairs) -> Sentence:
        """found : the entities of each source."""
        own = sentence.entities if self.keep_annotation else ()
        proposals = [Proposal(float("-inf"), 0, 0, -1, entity) for entity in own]
        for number, (source, entities) in enumerate(zip(self.sources, found)):
            proposals += [Proposal(-source.priority, -e.width, e.start, number, e) for e in dict.fromkeys(entities)]
        proposals.sort(key=lambda proposal: proposal[:4])
        kept, doubtful = self._apart(proposals, sentence, repairs)
        covered = {token for one in kept for start, end in one.fragments for token in range(start, end)}
        unknown = set(sentence.unknown) if self.keep_annotation else set()
        unknown |= set(range(len(sentence.tokens))) if self.uncovered == "UNKNOWN" else doubtful
        relations = sentence.relations if self.keep_annotation else ()
        return replace(sentence, entities=tuple(kept), relations=relations, unknown=tuple(sorted(unknown - covered)))

    def _apart(
        self, proposals: Sequence[Proposal], sentence: Sentence, repairs: Repairs
    ) -> tuple[list[Entity], set[int]]:
        """The entities to keep, in text order, and the tokens on which sources disagree."""
        taken: dict[int, Proposal] = {}
        kept: dict[Entity, None] = {}
        disputed: dict[Entity, None] = {}
        for proposal in proposals:
            entity = proposal.entity
            tokens = [token for start, end in entity.fragments for token in range(start, end)]
            rivals = {taken[token] for token in tokens if token in taken}
            if not rivals or proposal.source < 0:
                kept[entity] = None
                taken.update(dict.fromkeys(tokens, proposal))
                continue
            for rival in rivals:
                is_equal = rival.priority == proposal.priority and rival.entity.fragments == entity.fragments
                if is_equal and rival.entity.type != entity.type:
                    repairs.add("span with weak labels of several types", sentence.source)
                    disputed[rival.entity] = None
        if self.conflicts == "first":
            disputed = {}
        doubtful = {token for one in disputed for start, end in one.fragments for token in range(start, end)}
        return sorted((e for e in kept if e not in disputed), key=lambda e: (e.start, e.end)), doubtful
