"""
Labels of tokens: tags of any scheme, such as `B-PER`.

The probability of an entity is the sum over all taggings that contain exactly that chunk.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat, zip_longest
from math import inf, nan

import torch
from allennlp.common.checks import ConfigurationError
from overrides import overrides
from torch import Tensor

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.span_arrays import Fragments
from ner_zoo.data.tag_schemes import OUTSIDE, begins, check_scheme, detect_scheme, may_follow, split_tag
from ner_zoo.data.views.tags import flat_entities
from ner_zoo.labels.labels import Labels, TypeProbabilities
from ner_zoo.labels.prediction import Prediction, Scored, Tagging
from ner_zoo.structures import ChainConstraints, Independent, LinearChain, Structure
from ner_zoo.structures.chunks import ChunkRules, Chunks, chunks_of


@dataclass(frozen=True)
class TagLabels(Labels[Structure]):
    """
    names : the tags, by index.
    scheme : the tag scheme, which defines the legal transitions.
    """

    names: tuple[str, ...]
    scheme: str

    has_taggings = True

    @classmethod
    def of(cls, tags: Sequence[str], scheme: str = "") -> "TagLabels":
        """Uses the scheme indicated by the tags' prefixes if none is given."""
        return cls(tuple(tags), check_scheme(scheme) if scheme else detect_scheme([[tag] for tag in tags]))

    @cached_property
    def _parts(self) -> list[tuple[str, str]]:
        return [split_tag(tag) for tag in self.names]

    @cached_property
    def types(self) -> list[str]:  # type: ignore[override]
        return sorted({type for prefix, type in self._parts if prefix != OUTSIDE})

    @cached_property
    def rules(self) -> ChunkRules:
        """Which transitions start and continue an entity, and the index of each tag's type in `types`."""
        parts = self._parts
        starts = torch.tensor([[begins(before, tag) for tag in parts] for before in [*parts, (OUTSIDE, "")]])
        kinds = torch.tensor([-1 if prefix == OUTSIDE else self.types.index(type) for prefix, type in parts])
        return ChunkRules(starts, ~starts[:-1] & (kinds >= 0), kinds)

    def constraints(self) -> ChainConstraints:
        """Which tags may follow each other, and start and end a sentence."""
        parts, border = self._parts, (OUTSIDE, "")
        follows = [[may_follow(self.scheme, before, tag) for tag in parts] for before in parts]
        start = [may_follow(self.scheme, border, tag) for tag in parts]
        end = [may_follow(self.scheme, tag, border) for tag in parts]
        return ChainConstraints(torch.tensor(follows), torch.tensor(start), torch.tensor(end))

    @overrides
    def read(self, structure: Structure, with_marginals: bool = True) -> list[Prediction]:
        labels = structure.best()
        chunks = chunks_of(labels, structure.mask, self.rules.to(labels.device))
        return [Prediction(some) for some in self.entities(structure, chunks, len(labels), with_marginals)]

    @overrides
    def taggings(self, structure: Structure, k: int) -> list[list[Tagging]]:
        labels, log_probabilities = structure.n_best(k)  # (k, batch, positions), (k, batch)
        chunks = chunks_of(labels.flatten(0, 1), structure.mask.repeat(k, 1), self.rules.to(labels.device))
        rows = iter(self.entities(structure, chunks, log_probabilities.numel()))
        found: list[list[Tagging]] = [[] for _ in structure.mask]
        for of_batch in log_probabilities.tolist():
            for taggings, log_probability, entities in zip(found, of_batch, rows):
                if log_probability > -inf:
                    taggings.append(Tagging(min(log_probability, 0.0), tuple(entities)))
        return found

    def entities(
        self, structure: Structure, chunks: Chunks, rows: int, with_marginals: bool = True
    ) -> list[list[Scored]]:
        """The entities of the chunks of `rows` labellings; there may be several labellings per sentence."""
        scores: Iterable[float] = repeat(nan)
        if with_marginals:
            in_batch = chunks._replace(sentence=chunks.sentence % len(structure.mask))
            scores = structure.chunk_marginals(in_batch, self.rules.to(chunks.sentence.device)).tolist()
        found: list[list[Scored]] = [[] for _ in range(rows)]
        for row, start, end, type, score in zip(*(column.tolist() for column in chunks), scores):
            found[row].append((Entity.of(self.types[type], start, end), score))
        return found

    @overrides
    def span_probabilities(self, structure: Structure, spans: Sequence[Collection[Fragments]]) -> TypeProbabilities:
        found: TypeProbabilities = [{} for _ in spans]
        asked = [(number, span) for number, some in enumerate(spans) for span in some if len(span) == 1]
        types = len(self.types)
        if not asked or not types:
            return found
        device = structure.mask.device
        places = torch.tensor([(number, *span[0]) for number, span in asked], device=device)
        kinds = torch.arange(types, device=device).repeat(len(asked))
        sentence, first, last = places.repeat_interleave(types, 0).unbind(1)
        chunks = Chunks(sentence, first, last, kinds)
        values = structure.chunk_marginals(chunks, self.rules.to(device)).view(-1, types)
        for (number, span), row in zip(asked, values.double().clamp(0.0, 1.0).cpu().numpy()):
            found[number][span] = row
        return found

    @overrides
    def type_marginals(self, structure: Structure) -> Tensor:
        kinds = self.rules.kind_of_label.to(structure.scores.device)
        has_type = kinds.unsqueeze(1) == torch.arange(len(self.types), device=kinds.device)
        return structure.marginals() @ has_type.to(structure.scores.dtype)

    @overrides
    def expected_entities(self, structure: Structure) -> Tensor:
        """The sum over positions of the probability that an entity starts there."""
        marginals = structure.marginals()
        starts = self.rules.starts.to(marginals.device)
        if isinstance(structure, Independent):
            edge = torch.zeros_like(marginals[:, :1])
            before = torch.nn.functional.pad(torch.cat([edge, marginals[:, :-1]], 1), (0, 1))
            before[:, :1, -1] = 1.0
            return ((before @ starts.to(marginals.dtype)) * marginals).sum((1, 2))
        always, ever = self._starts(structure)
        if not torch.equal(always, ever):
            raise ConfigurationError(
                f"In the tag scheme {self.scheme}, whether a tag starts an entity depends on the previous tag, so the "
                f"expected number of entities cannot be computed from the marginals. Train with the scheme BIO or "
                f"BIOUL and a constrained head."
            )
        return marginals[..., always.to(marginals.device)].sum((1, 2))

    def _starts(self, structure: Structure) -> tuple[Tensor, Tensor]:
        """Which tags start an entity after every, and after some, possible previous tag: each `(tags,)`."""
        legal = structure.constraints if isinstance(structure, LinearChain) else self.constraints()
        may_precede = torch.cat([legal.transitions, legal.start.unsqueeze(0)]).cpu()
        starts = self.rules.starts
        return (starts | ~may_precede).all(0) & (starts & may_precede).any(0), (starts & may_precede).any(0)

    @overrides
    def likely(self, structure: Structure, least: float) -> list[list[Scored]]:
        rules = self.rules.to(structure.mask.device)
        # An entity is at most as probable as its type on any of its tokens.
        chunks = runs_inside(self.type_marginals(structure) >= least)
        kept = structure.chunk_marginals(chunks, rules) >= least
        chosen = Chunks(*(column[kept] for column in chunks))
        return self.entities(structure, chosen, len(structure.mask))

    @overrides
    def nothing(self, structure: Structure, spans: Sequence[Collection[Fragments]]) -> list[dict[Fragments, float]]:
        found: list[dict[Fragments, float]] = [{} for _ in spans]
        whole = structure.log_partition()
        # Process one span of every sentence at a time.
        for some in zip_longest(*spans):
            has_entity = torch.zeros_like(structure.mask)
            for number, span in enumerate(some):
                for start, end in span or ():
                    has_entity[number, start:end] = True
            is_background = torch.arange(len(self.names), device=has_entity.device) == self.background
            without = structure.restrict(~has_entity.unsqueeze(2) | is_background)
            for number, (span, value) in enumerate(zip(some, (without.log_partition() - whole).exp().tolist())):
                if span is not None:
                    found[number][span] = min(value, 1.0)
        return found

    @overrides
    def out_of_reach(self, sentence: Sentence, reached: Collection[Fragments]) -> set[Entity]:
        together = flat_entities(sentence.entities, self.scheme, sentence.source, Repairs())
        return super().out_of_reach(sentence, reached) | (set(sentence.entities) - set(together))


def runs_inside(may_be: torch.Tensor) -> Chunks:
    """All runs of positions where something is possible, from `(batch, positions, kinds)`, sorted by sentence."""
    positions = may_be.shape[1]
    place = torch.arange(1, positions + 1, device=may_be.device).view(1, -1, 1)
    gaps = torch.where(may_be, positions + 1, place)
    # The end of the run around each position: one before the next impossible position.
    ends = gaps.flip(1).cummin(1).values.flip(1) - 1
    sentence, first, kind = may_be.nonzero(as_tuple=True)
    lengths = ends[sentence, first, kind] - first
    row = torch.repeat_interleave(lengths)
    width = torch.arange(len(row), device=row.device) - (lengths.cumsum(0) - lengths)[row] + 1
    return Chunks(sentence[row], first[row], first[row] + width, kind[row])
